// SPDX-License-Identifier: Apache-2.0
// What was pasted and is no tap: data objects, or a log of commands and answers. Everything in it is the engine's.
"use strict";

function dataView(answer) {
    const count = nodes => nodes.reduce((sum, node) => sum + 1 + count(node.children), 0);
    // Records of a wallet for passes stand in place of objects.
    const isPass = answer.records.length > 0, nodes = isPass ? answer.records : answer.objects;
    return h("article.data", null,
        h("header.result", null,
            h("div", null, h("p.eyebrow", null, isPass ? "NDEF" : "BER-TLV"),
                h("h2", { tabindex: "-1" }, plural(count(nodes), isPass ? "record" : "data object"))),
            answer.statusWord ? statusPill(answer.statusWord) : null),
        answer.faults.length ? wrong("Not all of it is BER-TLV",
            answer.faults.map(fault => `byte ${fault.position}: ${fault.message}`).join("; ")
                + ". The objects around it are below.")
                             : null,
        nodes.length ? h("div.objects", null, treeWithButtons(nodes, isPass ? "Records" : "Data objects")) : null,
        answer.issuer.length
            ? panel("For the issuer", h("ul.list", null, answer.issuer.map(line => h("li", null, line))))
            : null);
}

// So many exchanges of a log, and steps of a tap, are shown.
const mostSteps = 2000;

function logView(answer) {
    const rows = answer.exchanges, read = rows.filter(row => row.command || row.response);
    return h("article.log", null,
        h("header.result", null,
            h("div", null, h("p.eyebrow", null, answer.shape || "APDU log"),
                h("h2", { tabindex: "-1" }, plural(read.length, "exchange")), h("p.muted", null, logSentence(answer)))),
        h("ol.steps", null,
            firstOf(rows, mostSteps, (row, at) => h("li.step", null, exchangeView(row, at)), "exchange")));
}

function exchangeView(row, at) {
    const head = [
        h("span.number", { "aria-hidden": "true" }, String(at + 1)),
        h("span.what", null,
            h("strong", null,
                row.command        ? row.command.name
                    : row.response ? "Answer without a command"
                                   : "Line not read"),
            h("small", null, row.line ? `line ${row.line}` : "",
                row.ms !== null && row.ms !== undefined ? ` · ${row.ms} ms` : "",
                row.remarks.map(remark => " · " + remark).join(""))),
        h("span.end", null,
            row.response
                ? row.response.status ? statusPill(row.response.status) : h("span.pill.odd", null, "no status word")
                : row.command ? h("span.pill.odd", null, "no answer")
                              : null),
    ];
    return disclosure(head,
        () => [row.command ? exchangePart("Command", row.command, true) : null,
            row.response ? exchangePart("Answer", row.response, false) : null]);
}

function logSentence(answer) {
    const parts = [];
    if (answer.skipped) parts.push(`${plural(answer.skipped, "line")} without a command or an answer left out`);
    if (answer.masked) parts.push("masked digits of the log are read as 0");
    return parts.length ? capitalised(parts.join("; ")) + "." : "A log has no configuration: it is read, not replayed.";
}
