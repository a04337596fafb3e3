"""Reports: each run, comparison, sweep or set of claims becomes one page that needs no other file.

``write_report`` turns a run folder into ``report.html``, ``picture.png`` and ``video.mp4``;
``comparison_page``, ``sweep_page`` and ``claims_page`` are its relatives.  A page holds its style,
plots and pictures inside, so that it can be mailed, printed and kept.

Trial writes data, report draws it: nothing here measures anything.  Drawing libraries are loaded
when the first line is drawn, because most runs of the command line draw nothing.
"""

from annelid.report.run import ReportPaths, write_report
