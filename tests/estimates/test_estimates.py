"""What an estimate says of itself."""

import costspace as cs


def test_an_estimate_says_what_it_is() -> None:
    value = cs.estimates.Estimate("auc", 0.75, 0.05, 0.64, 0.84, 0.95, "logit", 120, "stratified")
    assert repr(value) == (
        "Estimate(auc 0.75, 95 % interval 0.64 to 0.84, se 0.05, logit, n 120, stratified)"
    )
    columns = value.columns()
    assert list(columns) == list(vars(value))
    assert all(column.shape == (1,) for column in columns.values())
