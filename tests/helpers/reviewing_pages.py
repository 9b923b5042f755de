"""Pages of the report that open with a review, and what they count."""

from opened_pages import Opened, html_of, record_of

REVIEW = {"cost": [0.3, 0.3], "sensitivity": [0.9, 0.9], "specificity": [0.95, 0.95]}
ASKED = {"review": REVIEW}


def reviewing() -> str:
    return html_of(record_of(ASKED))


def unfolded(opened: Opened) -> Opened:
    opened.page.evaluate("document.querySelector('.rarer').open = true")
    return opened


def counts(opened: Opened) -> dict[str, float]:
    """What the confusion table counts, in full."""
    return {
        cell.locator(".kind").inner_text(): float(
            cell.locator("data").first.get_attribute("value") or "nan"
        )
        for cell in opened.page.locator("#confusion td").all()
    }
