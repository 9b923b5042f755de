"""Amounts in texts."""

import re

# A 0 that stands alone, in any digits: no part of a number, a name or a share.
ZERO = re.compile(r"(?<![\w.,:%-])[-−]?0(?:\.0+)?(?![\w.,:%])")
