"""The report: one page that shows an evaluation and computes with it, of any condition asked."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.report.gathering import contents
    from costspace.report.page import to_html
    from costspace.report.record import ReportContents
    from costspace.report.sheet import to_sheet

__all__ = ["ReportContents", "contents", "to_html", "to_sheet"]
