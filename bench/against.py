# SPDX-License-Identifier: Apache-2.0
"""A hub and one of a former commit, measured in turn: what has become slower or larger since."""

import statistics
import subprocess
from dataclasses import replace

# A figure that is worse by more than this, and by more than the rounds differ among themselves, is a defect.
TOLERATED = 1.08


def build_commit(root, commit):
    """Builds the release of a commit in a clone of its own, build/against/<commit>; returns the binary."""
    found = subprocess.run(["git", "-C", root, "rev-parse", "--verify", "--short=12", f"{commit}^{{commit}}"],
                           capture_output=True, text=True)
    if found.returncode:
        raise SystemExit(f"bench/run: --against {commit}: there is no such commit here")
    name = found.stdout.strip()
    clone = root / "build/against" / name
    if not (clone / "CMakeLists.txt").exists():
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", root, clone], check=True)
        subprocess.run(["git", "-C", clone, "checkout", "--quiet", "--detach", name], check=True)
    subprocess.run(["cmake", "--preset", "release"], cwd=clone, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", clone / "build/release", "--quiet", "hearth"], check=True)
    return name, clone / "build/release/hearth"


def compare(names, new_table, measure, rounds):
    """Rows of the present over the former hub. `measure(side, table)` fills a fresh table with one round of that side."""
    seen = {side: {name: [] for name in names} for side in ("now", "then")}
    rows = {name: row for name, row in new_table().items() if name in names}
    for turn in range(rounds):
        for side in ("now", "then")[:: 1 if turn % 2 == 0 else -1]:
            table = {name: row for name, row in new_table().items() if name in names}
            measure(side, table)
            for name, row in table.items():
                if row.failure:
                    rows[name].failure = f"{side}: {row.failure}"
                else:
                    seen[side][name].append(row.median)
    return [rows[name] if rows[name].failure else compared(rows[name], seen["now"][name], seen["then"][name]) for name in rows]


def compared(row, now, then):
    values = [new / old if old else 1.0 for new, old in zip(now, then)]
    figure = f"{{:.3g}} {row.unit}".strip()
    return replace(row, values=values, unit="", target=1 / TOLERATED if row.higher_is_better else TOLERATED, stretch=1.0,
                   ours=figure.format(statistics.median(now)), rival=figure.format(statistics.median(then)))


def worse(row):
    """True if every round was worse, and their median by more than is tolerated."""
    if row.failure:
        return True
    if row.higher_is_better:
        return max(row.values) < 1 and row.median < 1 / TOLERATED
    return min(row.values) > 1 and row.median > TOLERATED
