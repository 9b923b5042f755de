"""The answer: what to do, what it costs, and what would lower that cost.

`deciding` poses a `problem`. Its `candidates` are held out (`holdout`, `folds`, `pooling`) and meet
in a `contest`, whose `losses` make the `table` and the `regret`. `money` and `constrained` price
what is done, `budget` says where that goes. `ways`, `intervals` and `evidence` rank all that could
be done, `recommendation` says it in words, and `decision` holds the whole.
"""
