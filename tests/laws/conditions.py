"""What the laws of joint conditions range over.

A new kind of conditions is put to every law by registering it here.
"""

import costspace as cs

CONDITIONS: dict[str, cs.JointConditions] = {
    "known": cs.Deployment(1, 5, 0.1),
    "costs_in_a_range": cs.Deployment((1, 3), (5, 50), 0.1),
    "prevalence_in_a_range": cs.Deployment(1, 5, (0.05, 0.2)),
    "both_in_a_range": cs.Deployment((1, 3), (5, 50), (0.05, 0.2), -2.0, -0.5),
    "drawn": cs.Deployment(cs.Drawn([1.0, 2.0]), cs.LogUniform(2, 5), cs.Beta(2, 9)),
    "scenarios": cs.Scenarios([1, 2, 1], [3, 4, 8], [0.1, 0.2, 0.4], -1.0, -0.1, [1, 2, 4]),
    "one_scenario": cs.Scenarios(1, 5, 0.1),
}
