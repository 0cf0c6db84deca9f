// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reads little-endian numbers and variable-length integers from bytes. An integer is split into groups of seven bits,
// lowest first, each byte but the last with its top bit set; signed ones are folded first: 0, -1, 1, -2, ... become
// 0, 1, 2, 3, ...

export class Bytes {
    constructor(bytes) {
        this.bytes = bytes;
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }

    u8() {
        return this.view.getUint8(this.at++);
    }

    i8() {
        return this.view.getInt8(this.at++);
    }

    // text in so many bytes, of which the last ones may be zero
    text(size) {
        const bytes = this.bytes.subarray(this.at, this.at + size);
        this.at += size;
        const end = bytes.indexOf(0);
        return new TextDecoder().decode(end >= 0 ? bytes.subarray(0, end) : bytes);
    }

    u16() {
        this.at += 2;
        return this.view.getUint16(this.at - 2, true);
    }

    u32() {
        this.at += 4;
        return this.view.getUint32(this.at - 4, true);
    }

    u64() {
        this.at += 8;
        return this.view.getBigUint64(this.at - 8, true);
    }

    f32() {
        this.at += 4;
        return this.view.getFloat32(this.at - 4, true);
    }

    f64() {
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
    }

    // an unsigned integer below 2^32
    count() {
        const bytes = this.bytes;
        let value = 0;
        for (let shift = 0; shift < 35; shift += 7) {
            if (this.at >= bytes.length)
                throw new RangeError('a frame ends too early');
            const byte = bytes[this.at++];
            value |= (byte & 127) << shift;
            if (byte < 128)
                return value >>> 0;
        }
        throw new RangeError('an integer of a frame is too long');
    }

    // a signed one
    integer() {
        const folded = this.count();
        return (folded >>> 1) ^ -(folded & 1);
    }
}
