"""Plain Python: sort and fold."""

import records

records.write(records.fold(records.read()))
