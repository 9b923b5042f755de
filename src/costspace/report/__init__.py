"""The report: one page that shows an evaluation and computes with it, of any condition asked."""

from costspace.report.gathering import ReportContents, contents
from costspace.report.page import to_html

__all__ = ["ReportContents", "contents", "to_html"]
