"""What is known at each decision: rules go by that, and nothing else is asked for."""

import itertools

import numpy as np
import pytest
from brute_force_decision import Sample, conditions_of
from refusals import refused
from two_models import drawn

import costspace as cs
from costspace.decision.rules.written import written

# Off round numbers, so that no condition falls on a score.
FP, FN = [1.0, 1.7031], [2.0307, 5.0711, 20.113]
PREVALENCES = [0.0511, 0.2071, 0.4117]
SOME = cs.Deployment(cs.Drawn(FP), cs.Drawn(FN), cs.Drawn(PREVALENCES), tp_cost=-0.7, tn_cost=0.13)
ALL = conditions_of(FP, FN, PREVALENCES, [-0.7], [0.13])
RANGE = cs.Deployment((1, 3), (2, 20), (0.05, 0.4), tp_cost=-1, tn_cost=0.5)
CALIBRATED_TO = 0.3
CHOICES = {"trust": cs.ScoreDriven(CALIBRATED_TO), "best": cs.Optimal()}
Y, S = drawn(1, 300)
OTHER = drawn(2, 200)
KNOWN = ["", "costs", "prevalence", "costs,prevalence"]


def fit_of(decision, model, name):
    (found,) = (
        fit for fit in decision.fits if (fit.strategy.model, fit.strategy.name) == (model, name)
    )
    return found


def told_apart(known):
    """Groups of conditions that are the same as far as is known."""

    def seen(one):
        costs = (one.fp, one.fn) if "costs" in known else ()
        return costs, one.p if "prevalence" in known else None

    return [list(group) for _, group in itertools.groupby(sorted(ALL, key=seen), seen)]


def stakes(group):
    return (
        sum(one.probability * (1 - one.p) * one.a for one in group),
        sum(one.probability * one.p * one.b for one in group),
    )


def trusted(negative, positive):
    """The score from which flagging is the cheaper, if scores are what they say."""
    odds = negative / positive * CALIBRATED_TO / (1 - CALIBRATED_TO)
    return odds / (1 + odds)


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("model", S)
def test_conditions_that_look_the_same_have_one_rule(known, model):
    decision = cs.decide(*(Y, S), conditions=SOME, choices=CHOICES, validation=OTHER, known=known)
    train, test = Sample(Y, S[model]), Sample(OTHER[0], OTHER[1][model])
    expected, in_sample = dict.fromkeys(CHOICES, 0.0), dict.fromkeys(CHOICES, 0.0)
    for group in told_apart(known):
        sums = stakes(group)
        rule = train.best_cut_within(*sums, {"capacity": 1}, [0.2])
        for name, cut in (
            ("trust", trusted(*sums)),
            ("best", train.cuts[np.flatnonzero(rule)[0]]),
        ):
            for found, rows in ((expected, test), (in_sample, train)):
                money = (one.probability * one.money(*rows.rate_at(cut)) for one in group)
                found[name] += sum(money)
    for name in CHOICES:
        fit = fit_of(decision, model, name)
        assert fit.money == pytest.approx(expected[name], rel=1e-9)
        assert fit.in_sample == pytest.approx(in_sample[name], rel=1e-9)
        assert (fit.rule is not None) == (known == "")
        assert fit.strategy.known == frozenset(known.split(",")) - {""}


@pytest.mark.parametrize(("fn", "known"), [(FN, "costs"), (FN[:1], "")])
def test_what_goes_by_more_than_the_skew_commits_where_the_prevalence_is_averaged(fn, known):
    conditions = cs.Deployment(1.0, cs.Drawn(fn), cs.Drawn(PREVALENCES))
    decision = cs.decide(
        *(Y, S), conditions=conditions, choices=[cs.RateDriven()], validation=OTHER, known=known
    )
    train, test = Sample(Y, S["fine"]), Sample(OTHER[0], OTHER[1]["fine"])
    table = cs.ScoreTable.from_predictions(Y, S["fine"])
    inner = [written(cs.Rule(cut), table).cuts[0] for cut in map(float, train.cuts[1:-1])]
    cuts = [train.cuts[0], *inner, train.cuts[-1]]
    p, expected, found = np.mean(PREVALENCES), 0.0, fit_of(decision, "fine", "rate_driven")
    for one in conditions_of([1.0], fn, PREVALENCES):
        # The share 1 - c, of cases with the mean prevalence.
        mix = train.flagging_share(one.b / (one.a + one.b), p)
        rates = (mix[i] * np.array(test.rate_at(cuts[i])) for i in np.flatnonzero(mix))
        expected += one.probability * one.money(*sum(rates))
    assert found.money == pytest.approx(expected, rel=1e-9)
    assert (found.rule is not None) == (known == "")


def test_a_range_is_not_known_unless_it_is_said():
    decision = cs.decide(Y, S, conditions=RANGE, constraints=cs.Constraints(capacity=0.3))
    assert decision.task.known == frozenset()
    assert all(fit.rule is not None for fit in decision.fits if fit.feasible)
    assert decision.recommendation.rule is not None


def test_a_rule_for_a_range_costs_what_its_two_rates_do():
    # The means of costs whose logarithms are uniform, and of a prevalence whose log odds are.
    fp, fn = 2 / np.log(3), 18 / np.log(10)
    odds = np.log(0.4 / 0.6) - np.log(0.05 / 0.95)
    p = np.log(0.95 / 0.6) / odds
    negative, positive = (1 - p) * (fp - 0.5), p * (fn + 1)
    decision = cs.decide(
        *(Y, S), conditions=RANGE, choices=CHOICES, validation=OTHER, baseline=("fine", 0.31)
    )
    right = (1 - p) * 0.5 - p
    test = Sample(OTHER[0], OTHER[1]["fine"])
    for name, cut in (("trust", trusted(negative, positive)), ("baseline", 0.31)):
        fit = fit_of(decision, "fine", name)
        assert fit.rule.cuts[0] == float(f"{cut:.6g}")
        fpr, fnr = test.rate_at(cut)
        money = 1000 * (negative * fpr + positive * fnr + right)
        assert fit.money == pytest.approx(money, rel=1e-9)


GIVEN = {
    "fp_cost": np.linspace(1.01, 2.9, 40),
    "fn_cost": np.linspace(2.1, 19.0, 40)[::-1],
    "prevalence": np.linspace(0.06, 0.39, 40),
}
SCORES = np.random.default_rng(0).random(40).round(3)


def needed(known):
    names = [*(["fp_cost", "fn_cost"] if "costs" in known else []), "prevalence"]
    return names if "prevalence" in known else names[:-1]


@pytest.mark.parametrize("known", KNOWN)
def test_a_saved_rule_asks_for_exactly_what_is_known(known, tmp_path):
    plain = cs.Deployment((1, 3), (2, 20), (0.05, 0.4))
    decision = cs.decide(*(Y, S), conditions=plain, choices=CHOICES, known=known)
    kept = decision.saved(fit_of(decision, "fine", "trust").strategy)
    kept.save(tmp_path / "kept.json")
    again = cs.load_decision(tmp_path / "kept.json")
    names = needed(known)
    given = {name: GIVEN[name] for name in names}
    # What is not known is taken at its mean, a cost over the cases of its class.
    fp, fn = given.get("fp_cost", 2 / np.log(3)), given.get("fn_cost", 18 / np.log(10))
    odds = np.log(0.4 / 0.6) - np.log(0.05 / 0.95)
    p = given.get("prevalence", np.log(0.95 / 0.6) / odds)
    expected = np.where(trusted((1 - p) * fp, p * fn) < SCORES, "flag", "pass")
    assert set(expected) == {"flag", "pass"}
    for rules in (kept, again):
        np.testing.assert_array_equal(rules.apply(SCORES, **given).action, expected)
        for name in names:
            missing = {other: value for other, value in given.items() if other != name}
            with refused(cs.ConditionError, f"give {name}"):
                rules.apply(SCORES, **missing)
        for name in GIVEN.keys() - set(names):
            kind = "prevalence" if name == "prevalence" else "costs"
            nothing = f"no {kind}" if names else "no costs and no prevalence"
            with refused(cs.ConditionError, f"looks at {nothing}: leave out {name}."):
                rules.apply(SCORES, **given, **{name: 0.3})
        if "prevalence" in names:
            with refused(cs.ConditionError, "the prevalence is 0.5"):
                rules.apply(SCORES, **{**given, "prevalence": 0.5})
    proportion = 2 / np.log(3) / (2 / np.log(3) + 18 / np.log(10))
    for rules in (kept.rules, again.rules):
        if known == "prevalence":
            assert rules.costs == pytest.approx(proportion, rel=1e-9)
        else:
            assert rules.costs is None


@pytest.mark.parametrize("known", KNOWN[1:])
def test_limits_are_kept_over_the_whole_range(known):
    limits = cs.Constraints(capacity=0.3)
    choices = dict(CHOICES)
    if known == "costs":
        choices["rates"] = cs.RateDriven()
    decision = cs.decide(Y, S, conditions=SOME, constraints=limits, known=known, choices=choices)
    table = Sample(Y, S["fine"])
    for name in choices:
        rules = decision.saved(fit_of(decision, "fine", name).strategy).rules
        for one in ALL:
            if rules.rule is None:
                proportion = one.a / (one.a + one.b) if rules.costs is None else rules.costs
                at = one.p if "prevalence" in known else rules.prevalence.low
                cut = rules.rules(proportion, at).one.cuts
            else:
                cut = rules.rule.cuts
            fpr, fnr = table.rate_at(cut[0])
            assert (1 - one.p) * fpr + one.p * (1 - fnr) <= 0.3 * (1 + 1e-9)


def test_costs_of_each_case_are_known():
    costs = cs.CaseCosts(np.linspace(1, 2, 300), 5.0)
    task = cs.decide(Y, S, case_costs=costs, choices=[cs.ScoreFixed()]).task
    assert task.known == {"costs", "case"}


@pytest.mark.parametrize("known", ["", "costs", "prevalence", KNOWN[-1]])
def test_what_knowing_more_would_save_is_one_line(known):
    given = {"conditions": SOME, "choices": {"trust": CHOICES["trust"]}}
    found = cs.decide(Y, S, known=known, **given)
    # Where all is known it is what that saves against knowing nothing.
    all_known = known == KNOWN[-1]
    pair = ("", known) if all_known else (known, KNOWN[-1])
    best = found.strategy
    costlier, cheaper = (
        fit_of(cs.decide(Y, S, known=one, **given), best.model, best.name).money for one in pair
    )
    names = [name for name in ("costs", "prevalence") if all_known or name not in known]
    line = found.knowing_more
    start = f"Held-out, knowing the {' and the '.join(names)} at each decision "
    start += "saves " if all_known else "would save "
    assert line.startswith(start)
    numbers = line.removeprefix(start).removesuffix(" per 1,000 cases.").replace(" to ", " ")
    amount, low, high = (float(text.strip("()")) for text in numbers.split())
    assert amount == pytest.approx(costlier - cheaper, rel=0.02, abs=0.6)
    assert low < amount < high


def test_what_knowing_more_would_save_counts_weights_as_rows():
    y, s = np.arange(90) % 3 == 0, np.random.default_rng(2).normal(np.arange(90) % 3 == 0)
    given = {"conditions": cs.Deployment(1, (2, 9), (0.1, 0.4)), "validation": None}
    counted, sampled = (
        cs.decide(y, s, **given, sample_weight=np.full(90, 4.0), weights=weights).knowing_more
        for weights in ("counts", "sampling")
    )
    assert counted.startswith("Held-out, knowing ")
    assert counted != sampled


def test_what_knowing_more_is_not_shown_to_save_has_no_minus():
    near = cs.Deployment(1, (4, 4.5), 0.25)
    given = {"conditions": near, "choices": [cs.Smoothed()]}
    lines = [cs.decide(Y, S, **given).knowing_more]
    start = "Held-out, knowing the costs at each decision is not shown to save money: "
    for seed in range(4):
        s = np.random.default_rng(seed).normal(1.2 * np.asarray(Y))
        lines.append(cs.decide(Y, s, **given).knowing_more)
    told = [line.removeprefix(start) for line in lines if line.startswith(start)]
    assert told
    assert not any(one.startswith("-") for one in told)
    assert any(" lost (" in one for one in told)
    assert any(" saved (" in one for one in told)


@pytest.mark.parametrize(("known", "does"), [("", "would cost"), (KNOWN[-1], "costs")])
def test_what_knowing_more_is_shown_to_cost_is_told_so(known, does):
    generator = np.random.default_rng(1)
    y = np.arange(600) % 3 == 0
    scores = generator.normal(3 * y)
    # Thresholds of scores that tell little follow the costs too far.
    weak = cs.ScoreTable.from_predictions(y, generator.normal(1.4 + 0.2 * y))
    given = {"conditions": cs.Deployment((4, 8), (4, 16), (0.25, 0.4))}
    choices = {"weak": cs.Fitted(cs.Smoothed(), weak)}
    told = cs.decide(y, {"m": scores}, known=known, choices=choices, **given).knowing_more
    start = f"Held-out, knowing the costs and the prevalence at each decision {does} "
    assert told.startswith(start)
    assert told.removeprefix(start) == "441 more (322 to 560) per 1,000 cases."
