// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Frames by their times, which grow. Times are sums of steps and therefore rounded: what differs by less than a
// nanosecond is the same time.

const SAME = 1e-9; // s

// the last frame that is not later than t
export function indexAt(times, t) {
    let lo = 0, hi = times.length - 1;
    while (lo < hi) {
        const middle = (lo + hi + 1) >> 1;
        if (times[middle] <= t + SAME)
            lo = middle;
        else
            hi = middle - 1;
    }
    return lo;
}

// the frame that is nearest to t
export function nearestTo(times, t) {
    const i = indexAt(times, t);
    return i + 1 < times.length && times[i + 1] - t < t - times[i] ? i + 1 : i;
}
