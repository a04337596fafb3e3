"""Which order of modules gets furthest?  Chains side by side, each pair under the same chances."""

import annelid

short = annelid.load("push", duration_s=2)
compared = annelid.compare("TRRH", "TRHR", "THRR", on=short, repeats=2, workers=1)
for row in (*compared.settings, *compared.outcomes):
    print(f"{row.name:28}", *(f"{cell:>12}" for cell in row.shown))
