# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Every method on one contact problem: who solves it, how exactly, and in what time. With matplotlib: race.png."""

import sys

import cairn

problem = cairn.Problem.generate("wall", width=4, height=4)
print(problem)
reports = problem.race(tolerance=1e-8, time_limit=2.0)
print("%-18s %-16s %10s %10s" % ("method", "outcome", "residual", "ms"))
for name, report in sorted(reports.items(), key=lambda item: item[1].seconds):
    print("%-18s %-16s %10.1e %10.2f" % (name, report.outcome, report.residual.relative, 1e3 * report.seconds))
assert reports["exact"].converged

if "--plot" in sys.argv:
    from matplotlib import pyplot
    for name, report in reports.items():
        pyplot.loglog(1e3 * report.seconds, max(report.residual.relative, 1e-17), "o")
        pyplot.annotate(name, (1e3 * report.seconds, max(report.residual.relative, 1e-17)))
    pyplot.xlabel("ms")
    pyplot.ylabel("residual")
    pyplot.savefig("race.png")
