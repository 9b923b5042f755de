"""costspace against other packages where they compute the same: numbers, time, memory."""
