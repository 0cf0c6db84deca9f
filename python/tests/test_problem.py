# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Contact problems from Python: all methods, files, LCPs."""

import numpy as np
import pytest

import cairn


def block(push):
    """A block of 2 kg on the floor by one contact, mu 0.5, pushed by a velocity along x."""
    problem = cairn.Problem()
    body = problem.add_body(2.0, (1e9, 1e9, 1e9))
    problem.add_contact(-1, body, (0, 0, 1), (0, 0, 0), (0, 0, 0), 0.5, np.array([-1.0, 0.0, 0.0]) + tangent(push))
    return problem


def tangent(push):
    return np.array([0.0, push, 0.0])


def test_a_block_sticks_below_the_limit_and_slides_above():
    stuck = block(0.4).solve("exact", tolerance=1e-12)
    assert stuck.report.converged
    assert stuck.impulses == pytest.approx([2.0, -0.8, 0.0], abs=1e-10)
    slides = block(2.0).solve("exact", tolerance=1e-12)
    assert slides.impulses == pytest.approx([2.0, -1.0, 0.0], abs=1e-9)
    assert block(2.0).velocity(slides.impulses)[1] == pytest.approx(1.5)


@pytest.mark.parametrize("method", [m.name for m in cairn.methods()])
def test_every_method_solves_a_column_or_says_why_not(method):
    problem = cairn.Problem.generate("stack", size=3)
    try:
        solution = problem.solve(method, tolerance=1e-6, time_limit=5)
    except cairn.CairnError as refused:
        assert str(refused)
        return
    assert solution.report.outcome in ("converged", "iteration-limit", "time-limit", "no-solution", "ray", "singular")
    if solution.report.converged and solution.report.law == "as_given":
        assert problem.residual(solution.impulses).relative <= 1e-6


def test_the_matrix_is_symmetric_and_gives_the_velocities():
    problem = cairn.Problem.generate("wall", width=2, height=2)
    A = problem.matrix()
    assert A == pytest.approx(A.T, abs=1e-12)
    x = np.linspace(0, 1, problem.rows)
    assert problem.velocity(x) == pytest.approx(A @ x + problem.b)
    assert np.linalg.eigvalsh(A).min() > -1e-10


def test_fclib_files_are_written_and_read(tmp_path):
    problem = cairn.Problem.generate("heap", size=5)
    solution = problem.solve()
    problem.write(tmp_path / "heap.hdf5", solution.impulses)
    again = cairn.Problem.read(tmp_path / "heap.hdf5")
    assert again.rows == problem.rows
    assert again.residual(solution.impulses).relative <= 1.1 * max(solution.report.residual.relative, 1e-12)
    with pytest.raises(cairn.CairnError, match="exists"):
        problem.write(tmp_path / "heap.hdf5")
    with pytest.raises(cairn.NoFile):
        cairn.Problem.read(tmp_path / "none.hdf5")


def test_options_of_methods_go_by_name():
    problem = cairn.Problem.generate("stack", size=2)
    assert problem.solve("prox", prox_strategy="metric", tolerance=1e-6).report.converged
    with pytest.raises(TypeError):
        problem.solve("pgs", speed=3)
    with pytest.raises(cairn.BadInput, match="nobody"):
        problem.solve("nobody")


def test_a_race_reports_every_method():
    reports = cairn.Problem.generate("stack", size=2).race(["pgs", "exact", "dantzig"], tolerance=1e-6)
    assert set(reports) == {"pgs", "exact", "dantzig"}
    assert all(r.converged for r in reports.values())


def test_an_lcp_is_complementary():
    M, q = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])
    z, report = cairn.solve_lcp(M, q)
    assert z == pytest.approx([4 / 3, 7 / 3])
    assert report.residual < 1e-10
    z, _ = cairn.solve_lcp(M, q, lo=[0, 0], hi=[1, 1])
    assert z == pytest.approx([1, 1])


def test_a_problem_shows_itself():
    problem = cairn.Problem.generate("stack", size=2)
    assert "contacts" in repr(problem) and "<table>" in problem._repr_html_()
    assert "converged" in repr(problem.solve().report)
