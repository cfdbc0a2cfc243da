// SPDX-License-Identifier: Apache-2.0
// Two taps side by side: which steps differ, in which bytes, and where they differ first. Commands and answers are
// compared by the engine, which knows the digits that are masked here; the rest as it is shown. Knows nothing of what it
// means.
"use strict";

// What of a step counts, in the order in which a difference is looked for.
function stepParts(step, told) {
    return [
        ["state", step.state || ""],
        ["command", step.command ? step.command.hex : ""],
        ["answer", step.response ? step.response.hex : told.reply || ""],
        ["decision", (told.decisions || []).map(one => `${one.clause} ${one.value}`).join("; ")],
        ["display", (step.prompts || []).map(prompt => prompt.message).join(" ")],
        ["outcome", told.outcome || ""],
    ];
}

// One row for each step of the longer tap, with the names of what differs. `bytes`: of each step that both have, the
// first differing byte of command and answer; null where they are equal, 0 where they differ in something else.
function comparedSteps(left, right, bytes) {
    const steps = [left, right].map(answer => answer.steps.map((step, at) => {
        const told = answer.report.replays[0].steps[at] || {};
        return { step, told, parts: stepParts(step, told) };
    }));
    return Array.from({ length: Math.max(steps[0].length, steps[1].length) }, (_, at) => {
        const [one, other] = [steps[0][at], steps[1][at]];
        const differing = !one || !other
            ? ["step"]
            : one.parts
                  .filter(([name, value], part) =>
                              name in bytes[at] ? bytes[at][name] !== null : value !== other.parts[part][1])
                  .map(([name]) => name);
        return { one, other, differing, bytes: bytes[at] || {} };
    });
}

// Places of `here` that belong to the longest common subsequence with `there`: an object more or less moves what
// follows, and is no difference of all of it. Between a common beginning and a common end that is looked for only as far
// as its table stays small; beyond that, all between them counts as different.
function commonBytes(here, there) {
    let begin = 0, end = 0;
    const most = Math.min(here.length, there.length);
    while (begin < most && here[begin] === there[begin]) begin += 1;
    while (end < most - begin && here[here.length - 1 - end] === there[there.length - 1 - end]) end += 1;
    const [a, b] = [here, there].map(bytes => bytes.slice(begin, bytes.length - end));
    const common = a.length * b.length <= 4_000_000 ? commonBetween(a, b) : [];
    return new Set([...common]
                       .map(at => at + begin)
                       .concat(Array.from({ length: begin }, (_, at) => at))
                       .concat(Array.from({ length: end }, (_, at) => here.length - 1 - at)));
}

function commonBetween(here, there) {
    const width = there.length + 1, table = new Uint16Array((here.length + 1) * width);
    for (let i = here.length - 1; i >= 0; i -= 1)
        for (let j = there.length - 1; j >= 0; j -= 1)
            table[i * width + j] = here[i] === there[j]
                ? table[(i + 1) * width + j + 1] + 1
                : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    const common = new Set();
    for (let i = 0, j = 0; i < here.length && j < there.length;) {
        if (here[i] === there[j]) {
            common.add(i);
            i += 1;
            j += 1;
        } else if (table[(i + 1) * width + j] >= table[i * width + j + 1])
            i += 1;
        else
            j += 1;
    }
    return common;
}

function differenceSentence(row, place) {
    if (!row.one || !row.other) return `Step ${place + 1}: only ${row.one ? "A" : "B"} has it`;
    const name = row.differing[0], [one, other] = [row.one, row.other].map(side => partOf(side, name));
    const where = `Step ${place + 1}, ${stepTitle(row.one.step)}: ${name} differs`;
    if (!row.bytes[name]) return where;
    const at = row.bytes[name] - 1, [a, b] = [one, other].map(hex => pairs(hex)[at]);
    return `${where} from byte ${at + 1}${a === b ? ", in what is masked here" : ""}`;
}

function partOf(side, name) { return side.parts.find(([part]) => part === name)[1]; }

// `bytes`: as for `comparedSteps`; `actions`: buttons.
function compareView(sides, bytes, actions) {
    const [left, right] = sides.map(side => side.answer);
    const rows = comparedSteps(left, right, bytes), first = rows.findIndex(row => row.differing.length);
    const runs = [];
    rows.forEach((row, at) => {
        const last = runs[runs.length - 1];
        if (!row.differing.length && last && !last.rows[0].row.differing.length)
            last.rows.push({ row, at });
        else
            runs.push({ rows: [{ row, at }] });
    });
    return h("article.compared", null,
        h("header.result", null,
            h("div", null, h("p.eyebrow", null, "Two taps"),
                h("h2", { tabindex: "-1" }, first < 0 ? "No difference" : "First difference"),
                h("p.muted.first-difference", null,
                    first < 0 ? `${
                        plural(rows.length, "step")}, equal in commands, answers, decisions, display and outcome${
                        left.redacted || right.redacted ? ", apart from what was masked when it was recorded" : ""}.`
                              : differenceSentence(rows[first], first) + ".")),
            h("div.actions", null, actions)),
        h("div.both", null,
            h("div.pair.head", null, h("span"),
                sides.map(
                    (side, at) => h("div", null, h("p.eyebrow", null, "AB"[at] + " · " + side.title),
                        h("p.outcome", null, tapTitle(recordedEnd(side.answer) || side.answer.report.replays[0]))))),
            firstOf(runs, mostSteps,
                run => run.rows[0].row.differing.length
                    ? run.rows.map(({ row, at }) => differingPair(row, at, at === first))
                    : equalPair(run.rows),
                "row", "p")));
}

function equalPair(rows) {
    const from = rows[0].at + 1, to = rows[rows.length - 1].at + 1;
    return h("div.pair", null, h("span.number", null, String(from)),
        h("p.muted", null, `${from === to ? "Step" : "Steps"} ${from === to ? from : `${from} to ${to}`}: equal. `,
            rows.map(({ row }) => stepTitle(row.one.step)).join(", ")),
        h("span"));
}

function differingPair(row, at, isFirst) {
    const hexOf = (side, name) => side ? partOf(side, name) : "";
    const cell = (side, other, letter) => {
        if (!side) return h("div", null, h("p.absent", null, `${letter} has no such step`));
        const bytes = name => {
            const hex = hexOf(side, name), that = hexOf(other, name);
            if (!/^[0-9A-F*]{2,}$/.test(hex))
                return name === "answer" && hex && side.step.command ? h("p.fault", null, hex) : null;
            if (!row.differing.includes(name)) return null;
            const [here, there] = [hex, that].map(text => pairs(text)), first = row.bytes[name] - 1;
            const common = other ? commonBytes(here, there) : null;
            // Masked alike, and not alike.
            if (common && here[first] === there[first]) common.delete(first);
            return h("div", null, h("small.muted", null, capitalised(name)),
                hexBlock(hex, common && (place => !common.has(place))));
        };
        return h("div", null, h("span.side-title", null, letter),
            h("div.what", null, h("strong", null, stepTitle(side.step)),
                side.step.response ? statusPill(side.step.response.status) : null),
            h("small.muted", null, side.step.state || "Entry Point"), bytes("command"), bytes("answer"),
            row.differing.includes("decision")
                ? h("p", null, h("small.muted", null, "Decisions "), hexOf(side, "decision") || "none")
                : null,
            row.differing.includes("display") ? h("p", null, h("small.muted", null, "Display "),
                (side.step.prompts || []).map(prompt => prompt.text || "cleared").join(" · ") || "nothing new")
                                              : null,
            row.differing.includes("outcome")
                ? h("p", null, h("small.muted", null, "Outcome "), words(hexOf(side, "outcome") || "none yet"))
                : null);
    };
    return h("div.pair.differs" + (isFirst ? ".first" : ""),
        { role: "group", "aria-label": isFirst ? "First difference" : null },
        isFirst ? h("p.badge", null, differenceSentence(row, at)) : null, h("span.number", null, String(at + 1)),
        cell(row.one, row.other, "A"), cell(row.other, row.one, "B"));
}
