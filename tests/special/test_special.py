"""Special functions of costspace against SciPy's, and against values of more digits."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import special as of_scipy
from special_values import INF, NAN, ODD, VALUES, inputs

from costspace import special

OF_ARRAYS = ["expit", "logit", "ndtr", "ndtri"]
OF_NUMBERS = ["stdtr", "stdtrit"]


def own(name, arguments):
    function = getattr(special, name)
    if name in OF_ARRAYS:
        return function(*arguments)
    return np.array([function(*each) for each in zip(*arguments, strict=True)])


@pytest.mark.parametrize("name", [*OF_ARRAYS, *OF_NUMBERS])
def test_values_of_many_digits(name):
    *arguments, values = np.array(VALUES[name]).T
    # Far in a normal tail, the rounding of x is multiplied by x squared.
    few = 1e-13 if name == "ndtr" else 2e-14
    np.testing.assert_allclose(own(name, arguments), values, rtol=few)


@pytest.mark.parametrize("name", [*OF_ARRAYS, *OF_NUMBERS])
def test_random_inputs(name):
    arguments = inputs(3000)[name]
    theirs = getattr(of_scipy, name)(*arguments)
    np.testing.assert_allclose(own(name, arguments), theirs, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("name", OF_ARRAYS)
def test_ends_and_bad_arguments(name):
    given = np.reshape(ODD, (2, 5))
    with np.errstate(all="ignore"):
        theirs = getattr(of_scipy, name)(given)
    with np.errstate(all="raise"):
        np.testing.assert_allclose(getattr(special, name)(given), theirs, rtol=1e-12)
        assert np.ndim(getattr(special, name)(0.3)) == 0
        assert np.shape(getattr(special, name)([])) == (0,)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_ends_and_bad_arguments_of_student_s_t(name):
    # At zero, SciPy's quantile is plus infinity.
    for df, x in np.stack(np.meshgrid(ODD, ODD), axis=-1).reshape(-1, 2).tolist():
        theirs = getattr(of_scipy, name)(df, x)
        expected = -INF if name == "stdtrit" and x == 0 and df > 0 else theirs
        assert own(name, ([df], [x])) == pytest.approx(expected, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize(("df", "t"), [(0.1, -1e100), (0.1, -1e150), (1e14, -3.0), (1e15, 0.1)])
def test_farthest_tails_and_nearly_normal(df, t):
    assert special.stdtr(df, t) == pytest.approx(of_scipy.stdtr(df, t), rel=1e-11)
    assert special.stdtrit(df, special.stdtr(df, t)) == pytest.approx(t, rel=1e-8)


def test_a_power_of_t_has_its_own_quantile():
    # Of one degree of freedom the tail is 1 / (pi t).
    assert special.stdtrit(1, 1e-300) == pytest.approx(-1e300 / np.pi, rel=1e-12)
    assert special.stdtrit(0.01, 1e-12) == -INF
    assert special.stdtrit(0.5, 5e-324) == -INF
    assert special.stdtr(1e14, 1e150) == 1
    assert special.stdtr(1e14, -1e150) == 0
    assert special.stdtr(0.01, special.stdtrit(0.01, 0.975)) == pytest.approx(0.975, rel=1e-12)
    assert np.isnan(special.stdtr(NAN, 1.0))


def test_a_decision_loads_no_scipy():
    code = (
        "import sys, costspace as cs; y, s = [0, 0, 1, 1] * 50, [0.1, 0.6, 0.4, 0.9] * 50;"
        "known = cs.Deployment(fp_cost=1, fn_cost=(2, 5), prevalence=(0.1, 0.2));"
        "cs.decide(y, s, conditions=known, constraints=cs.Constraints(max_fpr=0.3));"
        "print([name for name in sys.modules if name.split('.')[0] == 'scipy'])"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.strip() == "[]"
