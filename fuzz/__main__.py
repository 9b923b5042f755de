"""Break costspace, or try to: ``python -m fuzz --minutes 60``.

It prints each kind of finding once, with what makes it again, and what it tried; the status is
1 if there were findings.
"""

import argparse
import sys

from fuzz.run import (
    PARTS,
    Found,
    at_work,
    case_of,
    parts_here,
    run_for,
    run_in_processes,
    tell,
    tried,
)


def main() -> int:
    """Run it as asked; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--part", choices=PARTS, action="append")
    parser.add_argument("--replay", type=int, metavar="NUMBER", help="make one case of a part")
    asked = parser.parse_args()
    parts = tuple(asked.part or parts_here())
    if asked.replay is not None:
        return replay(parts[0], asked.seed, asked.replay)
    seconds = 60 * asked.minutes
    if asked.processes == 1:
        tally = run_for(seconds, asked.seed, parts, tell=tell)
    else:
        tally = run_in_processes(asked.processes, seconds, asked.seed, parts)
    print("\n".join(tally.summary()))
    for kind, one in tally.found.items():
        print(f"{tally.kinds[kind]:6} x {kind}\n         {one.replay}")
    print(f"{len(tally.found)} kinds of findings")
    return 1 if tally.found else 0


def replay(part: str, seed: int, number: int) -> int:
    """Make one case again, and print it whole."""
    with at_work():
        case = case_of(part, seed, number)
        print(case)
        _, verdict = tried(part, seed, number)
    print(verdict.outcome)
    if verdict.finding is None:
        return 0
    tell(Found(part, seed, number, verdict.finding))
    return 1


if __name__ == "__main__":
    sys.exit(main())
