# As fold.jq, after dropping what shares 0.85 of its words with a better chunk:
# what one writes in jq in five minutes, a double loop.  Run with -cs.
def words: .text | ascii_downcase | [scan("[[:alnum:]]+")] | unique;

# Of two sorted arrays of words; $other also as an object, to look up in.
def similar($set; $other):
    ([$set[] | select($other.has[.])] | length) as $both
    | $both >= 0.85 * (($set | length) + ($other.set | length) - $both);

sort_by(-.score)
| reduce .[] as $chunk ({kept: [], sets: []};
    ($chunk | words) as $set
    | if any(.sets[]; similar($set; .)) then .
      else .kept += [$chunk]
           | .sets += [{set: $set, has: (reduce $set[] as $word ({}; .[$word] = true))}]
      end)
| .kept
| [.[range(0; length; 2)]] + ([.[range(1; length; 2)]] | reverse)
| .[]
