// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the words and numbers of the page mean, one sentence each: for the dialog "What is this?", for the hints of the
// plots, and for the sentence over the picture.

const terms = {
    step: 'The simulation advances in time steps of equal length, usually 1/60 s. This is the number of the current step.',
    contacts: 'Points where two bodies touch or are about to touch. A contact sticks, slides or is open.',
    residual: 'How far the computed forces violate the laws of contact and friction, relative to the velocities in the step. '
        + 'It is computed independently after every solve and compared with the tolerance of the scene.',
    outcome: 'Shown in red if a step missed its tolerance, with the reason; the residual shows by how much.',
    'position error': 'The largest geometric error at the end of the step: the deepest overlap, the largest joint error, or the largest '
        + 'error of a contact gap. It is computed from shapes and poses, independently of the residual; a step has converged '
        + 'only if both are within their tolerances.',
    energy: 'Total energy (dark line) and kinetic energy (light line), in joules. Friction and impacts dissipate energy; only '
        + 'motors may add any.',
    'energy defect': 'The change of energy in a step that is not explained by the work of forces and motors, or by friction, impacts '
        + 'and dampers. Positive: energy appeared without a source; negative: energy was lost numerically.',
    penetration: 'The deepest overlap of two bodies in a step (dark line) and the largest joint error (light line).',
    'computing time': 'Wall-clock time of a step on the machine that ran the simulation (dark line), and the part spent in the contact '
        + 'solver (light line).',
    island: 'A set of bodies connected by contacts and joints. Islands do not affect each other and are solved separately.',
    'contact forces': 'Arrows at the contact points that show the force on the second body. The corner of the picture shows the '
        + 'scale.',
};

const methods = {
    none: 'nothing touches and nothing is joined',
    warm: 'the forces of the last step still keep everything at rest, so nothing had to be solved',
    statics: 'forces that keep everything at rest, computed from the top down and verified',
    newton: 'single bodies and small mechanisms, solved by Newton’s method',
    sweeps: 'Gauss-Seidel sweeps over the contacts until the tolerance is met',
    tree: 'joints solved in linear time along the tree of bodies, together with contacts',
    exact: 'all contacts at once, to round-off accuracy',
    auto: 'a suitable method for each island',
};

const outcomes = {
    'iteration-limit': 'missed its tolerance: iteration limit',
    'time-limit': 'missed its tolerance: time limit',
    'no-solution': 'missed its tolerance: no solution exists',
    ray: 'missed its tolerance: the method ended on a ray',
    singular: 'missed its tolerance: a singular matrix',
    canceled: 'missed its tolerance: the solve was canceled',
    'step-limit': 'missed its accuracy: energy, joints or overlaps',
};

export const meaning = (term) => terms[term];

// how a step was solved: "solved by exact"
export function solvedBy(method, contacts = 0) {
    if (method === 'none')
        return contacts > 0 ? 'all asleep' : 'nothing to solve';
    return method === 'warm' || method === 'statics' ? 'at rest, verified' : `solved by ${method}`;
}

export const outcomeWords = (outcome) => outcomes[outcome] ?? outcome;

// terms and sentences in the order in which they are listed
export function glossary() {
    const list = Object.entries(terms);
    const sleep = ['all asleep', 'Bodies that have been at rest for a while are skipped until something moves them.'];
    const solved = Object.entries(methods).map(([name, text]) => [solvedBy(name), `The method that solved the step: ${text}.`]);
    return [...list.slice(0, 2), sleep, ...solved, ...list.slice(2)];
}
