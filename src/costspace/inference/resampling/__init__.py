"""The bootstrap: resamples of rows, and intervals from what metrics are on them."""
