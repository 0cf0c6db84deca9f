// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What the words and numbers of the page mean, one sentence each: for the dialog "What is this?", for the hints of the
// plots, and for the sentence over the picture.

const terms = {
    step: 'The simulation advances in steps of equal length, usually 1/60 s; the number counts them from the start.',
    contacts: 'Points where two bodies touch or are about to touch. A contact sticks, slides, or is open.',
    residual: 'How far the computed forces are from the exact laws of contact and friction, relative to the forces and '
        + 'velocities of the step. It is measured after every solve, whatever the method claims, and is compared with the '
        + 'tolerance of the scene.',
    outcome: 'Shown in red when a step missed its tolerance: the reason is named, and the residual says by how much.',
    motion: 'How far bodies are from where the laws of motion put them at the end of the step: the deepest overlap, the widest '
        + 'gap of a joint, and by how much contacts miss what was solved for, whichever is most. It is measured from shapes and '
        + 'places, beside the residual, and a step counts as converged only when both are met.',
    energy: 'Kinetic plus potential energy (dark line) and kinetic energy alone (light line), in joules. Friction and '
        + 'impacts take energy away; nothing may add any but motors.',
    'energy defect': 'Energy that a step gained from nowhere, or below zero lost to nothing: the change of energy that neither '
        + 'work of forces and motors nor friction, impacts and dampers explain.',
    penetration: 'How deep the two most overlapping bodies of a step are inside each other (dark line), and how far the points of '
        + 'a joint are apart (light line).',
    'computing time': 'Wall-clock time of a step on the machine that made the run (dark line), and the share of the contact '
        + 'solver (light line).',
    island: 'A set of bodies that touch or are joined. Islands do not act on each other, and each is solved by itself.',
    'contact forces': 'Arrows from the points of contact, in the direction in which the second body is pushed. The corner '
        + 'of the picture says how long one is.',
};

const methods = {
    none: 'nothing touches and nothing is joined',
    warm: 'the forces of the last step were verified to hold everything at rest, so nothing had to be solved',
    statics: 'forces that hold everything at rest were found from the top down, and verified',
    newton: 'single bodies, solved by Newton’s method',
    sweeps: 'contacts solved one after the other, again and again, until the tolerance is met',
    tree: 'joints solved in linear time along the tree of bodies, contacts beside them',
    exact: 'all contacts at once, to round-off',
    auto: 'several methods, the right one for each island',
};

const outcomes = {
    'iteration-limit': 'missed its tolerance: the iterations ran out',
    'time-limit': 'missed its tolerance: the time ran out',
    'no-solution': 'missed its tolerance: no solution was found',
    ray: 'missed its tolerance: the method ended on a ray',
    singular: 'missed its tolerance: a singular matrix',
    canceled: 'missed its tolerance: the solve was stopped',
    'step-limit': 'missed its accuracy: the substeps ran out',
};

export const meaning = (term) => terms[term];

// how a step was solved: "solved by exact"
export function solvedBy(method, contacts = 0) {
    if (method === 'none')
        return contacts > 0 ? 'everything sleeps' : 'nothing to solve';
    return method === 'warm' || method === 'statics' ? 'at rest, verified' : `solved by ${method}`;
}

export const outcomeWords = (outcome) => outcomes[outcome] ?? outcome;

// terms and sentences in the order in which they are listed
export function glossary() {
    const list = Object.entries(terms);
    const sleep = ['everything sleeps', 'Bodies that have stood still for a while are not computed until something moves them.'];
    const solved = Object.entries(methods).map(([name, text]) => [solvedBy(name), `The method that solved the step: ${text}.`]);
    return [...list.slice(0, 2), sleep, ...solved, ...list.slice(2)];
}
