# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Contact problems v = A λ + b and the methods that solve them; plain LCPs."""

from __future__ import annotations

import numpy as np

from ._core import (BadInput, Interrupted, Record, call, check, doubles, ffi, fill, lib, namespace, of_c, on_main_thread,
                    path_of, text_of, to_c, value_of, vec3, vector, word_of)


class SolveReport(Record):
    """What a solve did, and how exact its answer is, measured on the answer."""

    outcome: str
    method: str

    @property
    def converged(self) -> bool:
        return self.outcome == "converged"

    def __repr__(self) -> str:
        return "SolveReport(%s by %s, residual %.3g, %d iterations, %d pivots, %.3g s)" % (
            self.outcome, self.method, self.residual.relative, self.iterations, self.pivots, self.seconds)


class Solution(Record):
    """Impulses `impulses` and the `report` of the solve that found them."""

    impulses: np.ndarray
    report: SolveReport


def methods() -> list[Record]:
    """All methods: name, from, law, summary, exact."""
    kind = ffi.typeof("cairn_method_info")
    return [of_c(kind, lib.cairn_method_at(i)) for i in range(lib.cairn_method_count())]


def _solve_def(method: str, options: dict):
    """The options of a solve; those of a method as "prox.strategy" or prox_strategy."""
    definition = ffi.new("cairn_solve_def*")
    definition[0] = lib.cairn_default_solve_def()
    keep = ffi.new("char[]", method.encode())
    definition.method = keep
    fields = dict(ffi.typeof("cairn_solve_def").fields)
    known = {text_of(name) for name in iter_options()}
    for name, value in options.items():
        dotted = name if name in known else name.replace("_", ".", 1)
        if name not in fields and dotted in known:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            call(lib.cairn_solve_def_set, definition, dotted.encode(), text.encode())
        else:
            fill(definition, {name: value})
    return definition, keep


def iter_options():
    """The names of the options of methods."""
    index = 0
    while True:
        name = lib.cairn_solve_option_at(index)
        if not name:
            return
        yield name
        index += 1


class Problem:
    """A contact problem: bodies, blocks of rows with a friction law each, and b.

    >>> problem = Problem.generate("wall", width=4, height=4)
    >>> problem.solve("exact").report.converged
    True
    """

    def __init__(self):
        self._c = ffi.gc(ffi.new("cairn_problem*"), lib.cairn_problem_destroy)
        self._c[0] = lib.cairn_problem_empty()

    @classmethod
    def read(cls, path) -> "Problem":
        """From an FCLib file."""
        problem = cls()
        call(lib.cairn_fclib_read, path_of(path), problem._c)
        return problem

    @classmethod
    def generate(cls, kind: str, **options) -> "Problem":
        """A test problem by rule: peg, stack, wall, chain, heap, ... (cairn generate)."""
        problem, keep = cls(), ffi.new("char[]", kind.encode())
        definition = ffi.new("cairn_generate_def*")
        definition[0] = lib.cairn_default_generate_def(keep)
        definition.kind = keep
        call(lib.cairn_generate, fill(definition, options), problem._c)
        return problem

    def add_body(self, mass: float, inertia) -> int:
        """Adds a body (inertia: 3 moments or 3 x 3, world axes); infinite mass: it does not move."""
        value = ffi.new("cairn_mass*")
        if np.isfinite(mass):
            m = np.asarray(inertia, float)
            value.inverse_mass = 1.0 / mass
            value.inverse_inertia = to_c(ffi.typeof("cairn_mat3"), np.linalg.inv(np.diag(m) if m.ndim == 1 else m))
        check(lib.cairn_problem_add_body(self._c, value[0]))
        return self._c.body_count - 1

    def add_contact(self, body_a: int, body_b: int, normal, arm_a, arm_b, mu: float, velocity) -> int:
        """Adds a contact; -1 is the world. Arms lead from the centers to the point, `velocity` is b: normal and two tangents."""
        rows = ffi.new("cairn_row[3]")
        lib.cairn_contact_rows(vec3(normal), vec3(arm_a), vec3(arm_b), 3, rows)
        block = ffi.new("cairn_block*", {"kind": lib.CAIRN_BLOCK_CONTACT, "row_count": 3, "row": self._c.row_count,
                                         "body_a": body_a, "body_b": body_b})
        block.friction = lib.cairn_friction_cone(mu)
        check(lib.cairn_problem_add_block(self._c, block, rows, doubles(b := vector(velocity, 3, "the velocity"))))
        del b
        return self._c.block_count - 1

    @property
    def rows(self) -> int:
        return self._c.row_count

    @property
    def contacts(self) -> int:
        return lib.cairn_problem_contact_count(self._c)

    @property
    def b(self) -> np.ndarray:
        """m/s: the velocities of the rows without impulses."""
        return np.frombuffer(ffi.buffer(self._c.b, 8 * self.rows)).copy() if self.rows else np.empty(0)

    def velocity(self, impulses) -> np.ndarray:
        """v = A λ + b, computed afresh."""
        given, out = vector(impulses, self.rows, "the impulses"), np.empty(self.rows)
        check(lib.cairn_problem_velocity(self._c, doubles(given), doubles(out)))
        return out

    def matrix(self) -> np.ndarray:
        """A as a dense array; for problems of up to some thousand rows."""
        b, n = self.b, self.rows
        return np.stack([self.velocity(np.eye(1, n, k)[0]) - b for k in range(n)], axis=1) if n else np.empty((0, 0))

    def residual(self, impulses, law: str = "as_given", facets: int = 8) -> Record:
        """How far impulses are from solving the problem (docs/certificate.md)."""
        given, out = vector(impulses, self.rows, "the impulses"), ffi.new("cairn_residual*")
        check(lib.cairn_problem_residual(self._c, doubles(given), value_of(ffi.typeof("cairn_law"), law), facets, out))
        return namespace(out)

    def solve(self, method: str = "auto", **options) -> Solution:
        """Solves the problem; options: tolerance, max_iterations, time_limit, facets, threads, seed, warm_start, pgs_..., prox_..."""
        definition, keep = _solve_def(method, options)
        impulses, report, error = np.zeros(self.rows), ffi.new("cairn_report*"), ffi.new("cairn_error*")
        if definition.warm_start and self._c.warm:
            impulses[:] = np.frombuffer(ffi.buffer(self._c.warm, 8 * self.rows))
        status = lib.glue_solve(self._c, definition, doubles(impulses), report, on_main_thread(), error)
        check(status, error)
        del keep
        out = namespace(report, SolveReport)
        out.outcome = out.outcome.replace("_", "-")
        if out.outcome == "canceled":
            raise Interrupted("the solve was canceled")
        return Solution(impulses=impulses, report=out)

    def race(self, names=None, **options) -> dict[str, SolveReport]:
        """Every method on the problem, and what each says; those that refuse it are left out."""
        out = {}
        for name in names or [m.name for m in methods()]:
            try:
                out[name] = self.solve(name, **options).report
            except (BadInput, NotImplementedError):
                continue
        return out

    def write(self, path, impulses=None, force: bool = False) -> None:
        """As an FCLib file, with a solution."""
        given = None if impulses is None else vector(impulses, self.rows, "the impulses")
        call(lib.cairn_fclib_write, path_of(path), self._c, ffi.NULL if given is None else doubles(given), force)

    def __repr__(self) -> str:
        return "<cairn.Problem of %d contacts between %d bodies, %d rows>" % (self.contacts, self._c.body_count, self.rows)

    def _repr_html_(self) -> str:
        c = self._c
        kinds: dict[str, int] = {}
        for i in range(c.block_count):
            word = word_of(ffi.typeof("cairn_block_kind"), c.blocks[i].kind)
            kinds[word] = kinds.get(word, 0) + 1
        rows = "".join("<tr><td>%s</td><td>%d</td></tr>" % (k, n) for k, n in kinds.items())
        return "<table><tr><th>contact problem</th><th>%d rows, %d bodies</th></tr>%s</table>" % (self.rows, c.body_count, rows)


def solve_lcp(M, q, lo=None, hi=None, method: str = "auto", **options) -> tuple[np.ndarray, Record]:
    """z with lo <= z <= hi and w = M z + q complementary (default: z >= 0), and a report."""
    q = vector(q)
    n = q.size
    arrays = [vector(M, n * n, "M"), q] + [None if x is None else vector(x, n, "a bound") for x in (lo, hi)]
    lcp = ffi.new("cairn_lcp*", {"n": n})
    for name, array in zip(("M", "q", "lo", "hi"), arrays):
        if array is not None:
            setattr(lcp, name, doubles(array))
    definition, keep = _solve_def(method, options)
    z, report = np.zeros(n), ffi.new("cairn_lcp_report*")
    call(lib.cairn_lcp_solve, lcp, definition, doubles(z), report)
    del keep
    return z, namespace(report)
