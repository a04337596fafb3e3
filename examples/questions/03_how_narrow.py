"""Which bores does a robot fit into?  One that does not fit is told in one line."""

import annelid

for bore_mm in (30, 36, 40, 44, 50):
    try:
        run = annelid.run("push", world__bore_mm=bore_mm, duration_s=2)
    except annelid.errors.AnnelidError as error:
        print(f"{bore_mm} mm: {error}")
    else:
        print(f"{bore_mm} mm: {50 * run.metrics.progress_m:.2f} cm/s")
