"""Command lines with one bad value, or with an option that does not exist."""

from fuzz.case import EITHER, REFUSE, Case
from fuzz.lines import columns_of, on_a_file, rows_of
from fuzz.samples import Rng

VALUES: dict[str, tuple[str, ...]] = {
    "--prevalence": ("0", "1", "-0.5", "5%", "50", "nan", "inf", "a", "", "0,5", "1_0", "٠.٥"),
    "--costs": (
        "uniform",
        "uniform(1,0)",
        "beta(0,1)",
        "point(2)",
        "uniform(0,1",
        "f(1)",
        "nan",
        "",
    ),
    "--level": ("0", "1", "95", "nan", "a", "-1", "95%"),
    "--axis": ("both", "", "Cost "),
    "--label": ("Y", "nothing", "", "s"),
    "--score": ("S", "nothing", "", "y2"),
    "--weight": ("W2", "", "nothing"),
    "--positive": ("7", "", "yes"),
    "--engine": ("sqlite", ""),
    "--bins": ("0", "-1", "a", "1.5", "", "1_0", "0x10"),
    "--groups": ("nothing", ""),
    "--by": ("nothing", ""),
    "--fp-cost": (
        "0",
        "-1",
        "a",
        "5:1",
        "1:2:3",
        "10-100",
        "",
        "nan",
        "inf",
        "1,000",
        "1_000",
        "0:5",
    ),
    "--fn-cost": ("0", "-1", "a", "5:1", "", "1e400", "٣"),
    "--capacity": ("-0.1", "2", "a", "", "20%", "nan"),
    "--min-precision": ("-0.1", "30", "", "30 %"),
    "--folds": ("1", "0", "a", "2.5", "-3", "", "1_0", "0x3"),
    "--metric": ("aucc", "", "AUC", "expected_loss"),
    "--correction": ("holms", ""),
    "--calibrated-to": ("0", "1", "a", ""),
    "--output": ("", ".", "/nowhere/at/all.json", "FILE"),
    "--width": ("0", "-1", "a"),
    "--nothing": ("1",),
    "--json=maybe": (),
    "extra": (),
}
TAKES = {
    "evaluate": (
        *("--prevalence", "--costs", "--axis", "--label", "--score", "--weight", "--positive"),
        *("--engine", "--bins", "--by", "--output", "--nothing", "--json=maybe", "extra"),
    ),
    "decide": (
        *("--prevalence", "--level", "--label", "--score", "--weight", "--positive", "--fp-cost"),
        *("--fn-cost", "--capacity", "--min-precision", "--folds", "--calibrated-to", "--output"),
        *("--nothing", "extra", "--groups", "--by"),
    ),
    "compare": (
        *("--prevalence", "--costs", "--level", "--label", "--score", "--metric", "--correction"),
        *("--axis", "--groups", "--output", "--nothing"),
    ),
}


def bad(rng: Rng) -> Case:
    """A command line with one bad value."""
    one, other = rows_of(rng)
    command = str(rng.choice(list(TAKES)))
    option = str(rng.choice(TAKES[command]))
    values = VALUES[option]
    value = values[int(rng.integers(len(values)))] if values else ""
    arguments = [command, "FILE", *columns_of(one, second=command == "compare"), "--json"]
    if command == "decide":
        arguments += ["--fp-cost", "1", "--fn-cost", "5"]
    if option in arguments:
        arguments[arguments.index(option) + 1] = value
    elif values:
        arguments += [f"{option}={value}"]
    else:
        arguments += [option]
    if option == "--label" and value == "s" and set(one.s[one.present]) <= {0.0, 1.0}:
        value = "y"
    must = EITHER if (option, value) in (("--label", "s"), ("--label", "y")) else REFUSE
    if option == "--weight" and one.w is None:
        must = REFUSE
    return on_a_file(
        rng, command, one, other, arguments, must=must, note=f"{option} {value!r}".strip()
    )
