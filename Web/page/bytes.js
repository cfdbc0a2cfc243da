// SPDX-License-Identifier: Apache-2.0
// How bytes are shown: pairs of hex digits that wrap between bytes and stand below each other, commands by their parts
// (ISO/IEC 7816-4), status words with their meaning, the bytes in which two strings differ.
"use strict";

function pairs(hex) { return hex.match(/../g) || (hex ? [hex] : []); }

function byteCount(hex) { return Math.ceil(hex.length / 2); }

// An extended answer (65,538 bytes) is shown whole, a longer value in its beginning.
const mostBytes = 70000;

// `differs(i)`: byte i is marked. Bytes that follow each other are one piece of text.
function hexBlock(hex, differs = null) {
    const bytes = pairs(hex.slice(0, 2 * mostBytes)), rest = byteCount(hex) - bytes.length;
    const block = h("code.hex", { translate: "no", dir: "ltr" });
    const more = rest > 0 ? " " + restOf(rest, "byte") : "";
    if (!differs) {
        block.textContent = bytes.join(" ") + more;
        return block;
    }
    for (let at = 0; at < bytes.length;) {
        let end = at + 1;
        while (end < bytes.length && differs(end) === differs(at)) end += 1;
        const text = bytes.slice(at, end).join(" ");
        block.append(differs(at) ? h("mark", null, text) : text, end < bytes.length ? " " : "");
        at = end;
    }
    block.append(more);
    return block;
}

// CLA INS P1 P2, Lc, data, Le; `null` where the bytes are no command of short length.
function commandParts(hex) {
    const bytes = pairs(hex), size = bytes.length;
    if (size < 4 || size === 5)
        return size === 5 ? { header: bytes.slice(0, 4), lc: null, data: [], le: bytes[4] } : null;
    if (size === 4) return { header: bytes, lc: null, data: [], le: null };
    const count = parseInt(bytes[4], 16);
    if (size !== 5 + count && size !== 6 + count) return null;
    return {
        header: bytes.slice(0, 4),
        lc: bytes[4],
        data: bytes.slice(5, 5 + count),
        le: size === 6 + count ? bytes[size - 1] : null,
    };
}

function commandBlock(hex) {
    const parts = commandParts(hex);
    if (!parts) return hexBlock(hex);
    const part = (name, bytes) => bytes.length
        ? h("span.part", null, h("small", null, name), h("code.hex", { dir: "ltr" }, bytes.join(" ")))
        : null;
    return h("div.parts", { translate: "no" },
        ["CLA", "INS", "P1", "P2"].map((name, at) => part(name, [parts.header[at]])),
        part("Lc", parts.lc ? [parts.lc] : []), part("Data", parts.data), part("Le", parts.le ? [parts.le] : []));
}

// Of ISO/IEC 7816-4 and EMV Book 3; an unknown one has no words.
const statusWords = {
    "9000": "normal",
    "6283": "selected file deactivated",
    "6300": "authentication failed",
    "6400": "execution error",
    "6581": "memory failure",
    "6700": "wrong length",
    "6882": "secure messaging not supported",
    "6982": "security status not satisfied",
    "6983": "authentication method blocked",
    "6984": "referenced data invalidated",
    "6985": "conditions of use not satisfied",
    "6986": "command not allowed",
    "6A80": "wrong data",
    "6A81": "function not supported",
    "6A82": "file not found",
    "6A83": "record not found",
    "6A86": "wrong P1 or P2",
    "6A88": "referenced data not found",
    "6B00": "wrong P1 or P2",
    "6D00": "instruction not supported",
    "6E00": "class not supported",
    "6F00": "no precise diagnosis",
};

function statusMeaning(status) {
    if (statusWords[status]) return statusWords[status];
    if (status.startsWith("61")) return `${parseInt(status.slice(2), 16)} more bytes wait`;
    if (status.startsWith("6C")) return `wrong Le, ${parseInt(status.slice(2), 16)} expected`;
    if (status.startsWith("63C")) return `${parseInt(status.slice(3), 16)} tries left`;
    return "";
}

function statusPill(status) {
    const meaning = statusMeaning(status);
    return h(status === "9000" ? "span.pill" : "span.pill.odd", { title: meaning || null }, h("code", null, status),
        status === "9000" || !meaning ? null : " " + meaning);
}
