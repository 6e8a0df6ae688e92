# A prompt by jq: sorted, cut where the budget ends, folded, the question last.
# Run with -rs --arg question Q --argjson budget N; a token is taken for four bytes.
sort_by(-.score)
| [foreach .[] as $chunk (0; . + ($chunk.text | utf8bytelength / 4); {$chunk, used: .})
   | select(.used <= $budget) | .chunk]
| [.[range(0; length; 2)]] + ([.[range(1; length; 2)]] | reverse)
| (to_entries[] | "[\(.key + 1)] \(.value.text)\n"),
  "Question: \($question)"
