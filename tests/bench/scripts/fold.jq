# Ranks 1 3 5 ... 6 4 2, as edgefold's default layout.  Run with -cs.
sort_by(-.score)
| [.[range(0; length; 2)]] + ([.[range(1; length; 2)]] | reverse)
| .[]
