// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Measures the presets of docs/concepts/presets.md on shipped scenes, fills the table of that page and draws its picture:
//     node presets.mjs PROGRAM SOURCE_DIR WORK_DIR
//
// Time is the processor time of the whole run over its steps, the least of three runs, so that a busy machine hardly matters.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , cairn, source, work] = process.argv;
const RUNS = 3;

const presets = {
    balanced: { preset: 'balanced' },
    realtime: { preset: 'realtime' },
    exact: { preset: 'exact' },
};

// what is measured; `exact` would take minutes on a heap
const cases = [
    ['arch', 'an arch of 15 stones stands', ['balanced', 'realtime', 'exact']],
    ['wall', 'a wall of 10 rows is hit', ['balanced', 'realtime', 'exact']],
    ['heap', '1,728 balls fall into a bin', ['balanced', 'realtime']],
    ['chain100', 'a chain of 100 links swings', ['balanced', 'realtime', 'exact']],
];

// a shipped scene with the settings of a preset
function variant(scene, preset) {
    const text = JSON.parse(readFileSync(join(source, 'scenes', `${scene}.json`), 'utf8'));
    const file = join(work, `${scene}-${preset}.json`);
    text.run = { time: text.run.time, sleep: false, ...presets[preset] };
    writeFileSync(file, JSON.stringify(text));
    return file;
}

// one run under bash, whose `time` tells the processor time of the program
function run(file) {
    const script = 'TIMEFORMAT="%U %S"; { time "$0" run "$1" --json 2> "$2/said"; } 2> "$2/time" || [ $? -eq 1 ]';
    const report = JSON.parse(execFileSync('bash', ['-c', script, cairn, file, work], { encoding: 'utf8' }));
    const [user, system] = readFileSync(join(work, 'time'), 'utf8').split(/\s+/).map(Number);
    return { ms: (1e3 * (user + system)) / report.steps, penetration: report.penetration_max, joint: report.joint_error_max };
}

function measure(scene, preset) {
    const file = variant(scene, preset);
    const runs = Array.from({ length: RUNS }, () => run(file));
    return { ...runs[0], ms: Math.min(...runs.map((r) => r.ms)) };
}

const digits = (x) => (x >= 99.5 ? x.toFixed(0) : String(Number(x.toPrecision(2))));
const length = (m) => (m <= 1e-9 ? 'none' : m < 1e-6 ? `${digits(1e9 * m)} nm` : m < 1e-3 ? `${digits(1e6 * m)} µm` : `${digits(1e3 * m)} mm`);

function fillTable(rows) {
    const page = join(source, 'docs/concepts/presets.md');
    const lines = rows.map((r) => `| ${r.words} (\`${r.scene}\`) | ${r.preset} | ${digits(r.ms)} ms | `
        + `${r.scene.startsWith('chain') ? '' : length(r.penetration)} | ${r.scene.startsWith('chain') ? length(r.joint) : ''} |`);
    const table = ['| scene | preset | a step | penetration | joint gap |', '| --- | --- | ---: | ---: | ---: |', ...lines].join('\n');
    const text = readFileSync(page, 'utf8');
    writeFileSync(page, text.replace(/(<!-- gallery: presets -->\n)[^]*?(<!-- \/gallery -->)/, `$1${table}\n$2`));
}

// bars of time and penetration for the wall, both on logarithmic scales
function draw(rows) {
    const scale = (values, most) => {
        const [lo, hi] = [Math.min(...values), Math.max(...values)].map(Math.log);
        return (x) => 8 + ((most - 8) * (Math.log(x) - lo)) / (hi - lo || 1);
    };
    const time = scale(rows.map((r) => r.ms), 170), depth = scale(rows.map((r) => r.penetration), 170);
    const body = rows.map((r, i) => {
        const y = 62 + 26 * i;
        return `<text class="b" x="20" y="${y + 13}">${r.preset}</text>`
            + `<rect class="t" x="110" y="${y}" width="${time(r.ms).toFixed(1)}" height="17" rx="2"/>`
            + `<text x="${(118 + time(r.ms)).toFixed(1)}" y="${y + 13}">${digits(r.ms)} ms</text>`
            + `<rect class="p" x="390" y="${y}" width="${depth(r.penetration).toFixed(1)}" height="17" rx="2"/>`
            + `<text x="${(398 + depth(r.penetration)).toFixed(1)}" y="${y + 13}">${length(r.penetration)}</text>`;
    });
    const height = 74 + 26 * rows.length;
    writeFileSync(join(source, 'docs/pictures/presets.svg'),
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 ${height}" role="img"><style>`
        + 'text{font:13px system-ui,sans-serif;fill:#30363b}.b{font-weight:600}.q{fill:#6a7076;font-size:12px}.t{fill:#0f6b76}'
        + '.p{fill:#c28a63}.paper{fill:#fdfcfa}@media(prefers-color-scheme:dark){text{fill:#e6e4df}.q{fill:#9aa2a9}'
        + '.t{fill:#62bcc6}.p{fill:#b07b57}.paper{fill:#1b1f22}}</style>\n'
        + `<rect class="paper" width="660" height="${height}" rx="8"/>\n`
        + '<text class="b" x="20" y="26">A wall of 10 rows is hit by a ball (logarithmic scales)</text>\n'
        + '<text class="q" x="110" y="48">time of a step</text><text class="q" x="390" y="48">deepest penetration</text>\n'
        + `${body.join('\n')}\n</svg>\n`);
}

mkdirSync(work, { recursive: true });
const rows = cases.flatMap(([scene, words, list]) => list.map((preset) => ({ scene, words, preset, ...measure(scene, preset) })));
fillTable(rows);
draw(rows.filter((r) => r.scene === 'wall'));
