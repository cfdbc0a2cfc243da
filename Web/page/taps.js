// SPDX-License-Identifier: Apache-2.0
// One tap as people read it: how it ended, what was shown, each step with command and answer, what the issuer gets,
// what the cryptogram covers. Everything in it is the engine's; only the words of outcomes are of this file.
"use strict";

const tapTitles = {
    declined: "Declined",
    unreadable: "Card not read",
    unsupportedNetwork: "Card not supported",
    limitExceeded: "Over a limit",
    onlinePINRequired: "Online PIN required",
    onlinePINUnavailable: "Online PIN required, no PIN pad",
    tryAnotherInterface: "Try another interface",
    seePhone: "See the phone",
    presentAgain: "Present the card again",
    cancelled: "Cancelled",
    failed: "Failed",
};
const cvmNames = {
    none: "none",
    signature: "signature",
    onlinePIN: "online PIN",
    cdcvm: "on the device",
    notApplicable: "not applicable",
};

function tapTitle(replay) {
    if (replay.tap === "success")
        return { approved: "Approved offline", onlineRequest: "Goes online" }[replay.outcome] || "Success";
    return tapTitles[replay.tap] || capitalised(words(replay.tap || "no outcome"));
}

const stepTitles = {
    begin: "Transaction begins",
    card: "Card in the field",
    carryOn: "Carry on",
    data: "Terminal data",
    deadline: "Deadline passed",
    online: "Issuer’s answer",
    pin: "PIN entry",
};

// Terminal data may come while a command waits for its answer.
function stepTitle(step) {
    if (step.command && !step.given) return step.command.name;
    return stepTitles[step.kind] || capitalised(words(step.kind));
}

function panel(title, ...children) { return h("section.panel", null, h("h3", null, title), children); }

function facts(rows) {
    return h("dl.facts", null,
        rows.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name,
            value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

// How a masked trace ended before it was masked: signatures over what is masked do not verify now, and the replay may
// end otherwise. What a trace expects is not how it ended. `null` where the trace does not say.
function recordedEnd(answer) { return answer.redacted && answer.recorded || null; }

// `origin`: where it comes from, in a word or two; `actions`: buttons.
function tapView(answer, origin, actions) {
    const replay = answer.report.replays[0], outcome = answer.outcome || {}, recorded = recordedEnd(answer);
    const commands = answer.steps.filter(step => step.command).length;
    const view = h("article.tap", null,
        h("header.result", null,
            h("div", null, h("p.eyebrow", null, origin),
                h("h2.outcome", { tabindex: "-1" }, tapTitle(recorded || replay)),
                recorded ? h("p.muted", null, "As it was recorded. Replayed here with what is masked:") : null,
                whyView(replay.why)),
            h("div.actions", null, actions)),
        facts([
            ["Amount", answer.transaction && answer.transaction.amountText],
            ["Card", outcome.pan ? h("code", null, outcome.pan) : null],
            [
                "Application",
                [outcome.label, outcome.application && h("code", null, outcome.application)].filter(Boolean).flatMap(
                    (part, at) => at ? [" ", part] : [part])
            ],
            ["Verification", replay.cvm ? cvmNames[replay.cvm] || words(replay.cvm) : null],
            ["Commands", String(replay.apdus ?? commands)],
            ["Date", answer.transaction ? `${answer.transaction.date} ${answer.transaction.time}` : null],
        ].filter(([, value]) => !Array.isArray(value) || value.length)),
        answer.redacted
            ? h("p.notice", null, "Account number and track data of this trace were masked when it was recorded: ",
                "it replays for its shape. Signatures over what is masked do not verify here.")
            : null,
        recorded ? differencesView(recorded.differences, false) : null,
        differencesView(recorded ? changedDifferences(replay, recorded) : replay.differences, answer.redacted),
        h("div.columns", null, h("div.story", null, h("h3", null, "Step by step"), stepsView(answer, replay)),
            h("div.aside", null, displayView(answer.steps), findingsView(replay))),
        issuerView(answer), cryptogramView(answer.cryptogram),
        answer.discretionary && answer.discretionary.length
            ? panel("Discretionary data", treeWithButtons(answer.discretionary, "Discretionary data"))
            : null);
    return view;
}

// Why it ended so, as the command line prints it.
function whyView(why) {
    if (!why) return null;
    const rows = [
        ["To change it", why.change],
        ["Last status word", why.status],
        ["Error Indication", (why.error || []).join(", ")],
    ];
    return h("div.why", null, h("p", null, why.sentence, why.clause ? h("small", null, ` (${why.clause})`) : null),
        facts(rows.filter(row => row[1])));
}

// What differs in the replay of a masked trace and did not before it was masked.
function changedDifferences(replay, recorded) {
    const key = row => JSON.stringify([row.place, row.expected, row.found]);
    const before = new Set(recorded.differences.map(key));
    return (replay.differences || []).filter(row => !before.has(key(row)));
}

// What the trace expects and what came.
function differencesView(differences, isMasked) {
    if (!differences || !differences.length) return null;
    const title = isMasked ? "What differs here, with what is masked" : "Other than the trace expects";
    return h(isMasked ? "section.notice" : "section.notice.wrong", null, h("p", null, h("strong", null, title)),
        h("div.scroll", { tabindex: "0", role: "group", "aria-label": "Differences" },
            h("table", null, h("thead", null, h("tr", null, ["Where", "Expected",
                "Found"].map(name => h("th", { scope: "col" }, name)))),
                h("tbody", null,
                    differences.map(
                        row => h("tr", null, h("td", null, row.place), h("td", null, h("code", null, row.expected)),
                            h("td", null, h("code", null, row.found))))))));
}

function findingsView(replay) {
    const findings = replay.findings || [];
    return panel("Findings",
        findings.length ? h("ul.list", null, findings.map(finding => h("li", null, h("code", null, finding))))
                        : h("p.muted", null, "Nothing suspicious was noticed."));
}

// MARK: The display

// What the reader's display shows in the course of the tap, in the chosen language.
function displayView(steps) {
    const prompts = steps.flatMap(step => step.prompts || []);
    return panel("What the display shows",
        prompts.length ? h("ol.screens", null, prompts.map(prompt => {
            const language = languages.find(one => one.tag === prompt.language);
            return h("li.screen", { "data-tone": prompt.tone, "data-message": prompt.message },
                h("span.lamps", { "aria-hidden": "true" }, [0, 1, 2, 3].map(() => h("i"))),
                prompt.text ? h("span.said",
                    { lang: prompt.language, dir: language && language.rightToLeft ? "rtl" : "ltr" }, prompt.text)
                            : h("span.said.empty", null, "cleared"));
        }))
                       : h("p.muted", null, "Nothing."));
}

// MARK: Steps

function stepsView(answer, replay) {
    const told = replay.steps || [];
    return h("ol.steps", null,
        firstOf(answer.steps, mostSteps, (step, at) => stepView(step, told[at] || {}, at + 1), "step"));
}

function stepView(step, told, number) {
    const decisions = told.decisions || [];
    const sent = step.given ? null : step.command;
    const content = () => [sent ? exchangePart("Command", sent, true) : null,
        step.response ? exchangePart("Answer", step.response, false) : null,
        step.given ? exchangePart(stepTitle(step), step.given, false) : null,
        !step.response && told.reply && sent ? h("p.fault", null, `No answer: ${told.reply}`) : null,
        !step.given && ["online", "pin"].includes(step.kind) ? h("p", null, capitalised(told.reply || "")) : null,
        decisions.length ? h("div.part", null, h("h4", null, "Decisions"),
            h("ul.decisions", null,
                decisions.map(
                    one => h("li", null, h("span", null, `${capitalised(one.text || "decision")} (${one.clause})`),
                        h("code", null, one.value)))))
                         : null,
        step.exchange && step.exchange.length
            ? h("div.part", null, h("h4", null, "To the terminal"), tree(step.exchange, "Sent to the terminal"))
            : null,
        step.prompts && step.prompts.length ? h("div.part", null, h("h4", null, "Display"),
            step.prompts.map(prompt => h("p", { lang: prompt.language, dir: "auto" }, prompt.text || "cleared")))
                                            : null,
    ];
    const head = [
        h("span.number", { "aria-hidden": "true" }, String(number)),
        h("span.what", null, h("strong", null, stepTitle(step)), h("small", null, step.state || "Entry Point")),
        h("span.end", null, step.response && step.response.status ? statusPill(step.response.status) : null,
            sent && !step.response ? h("span.pill.odd", null, told.reply || "no answer") : null,
            told.outcome && told.outcome !== "none" ? h("span.pill.strong", null, words(told.outcome)) : null),
    ];
    const something = sent || step.given || ["online", "pin"].includes(step.kind) || decisions.length
        || (step.exchange || []).length || (step.prompts || []).length;
    return h("li.step", null, something ? disclosure(head, content) : h("div.summary", null, head));
}

// A <details> whose content is made when it opens first: a long tap has thousands of elements.
function disclosure(head, content) {
    const body = h("div.body");
    const details = h("details", null, h("summary", null, head), body);
    details.fill = () => {
        if (!body.firstChild) body.append(...content().flat().filter(Boolean));
    };
    details.addEventListener("toggle", () => {
        if (details.open) details.fill();
    });
    return details;
}

function exchangePart(title, bytes, isCommand) {
    return h("div.part", null,
        h("h4", null, title, h("small", null, plural(byteCount(bytes.hex), "byte")),
            copyButton(() => bytes.hex, title.toLowerCase())),
        isCommand ? commandBlock(bytes.hex) : h("div.bytes", null, hexBlock(bytes.hex)),
        bytes.fault ? h("p.fault", null, `byte ${bytes.fault.position}: ${bytes.fault.message}`) : null,
        bytes.tree && bytes.tree.length ? tree(bytes.tree, `Data objects of the ${title.toLowerCase()}`) : null);
}

// MARK: For the issuer

function issuerView(answer) {
    const issuer = answer.issuer || {}, field = issuer.field55;
    if (!(issuer.lines || []).length && !field && !(answer.dataRecord || []).length) return null;
    // Field 55 stands below, whole.
    const lines = (issuer.lines || []).filter(line => !field || !line.startsWith("field 55"));
    return panel("What the issuer gets",
        lines.length ? h("ul.list", null, lines.map(line => h("li", null, capitalised(line)))) : null,
        issuer.problem ? h("p.fault", null, `Field 55 cannot be made: ${issuer.problem}`) : null,
        field ? h("div.part", null,
            h("h4", null, "Field 55", h("small", null, plural(field.length, "byte")),
                copyButton(() => field.hex, "field 55")),
            h("div.bytes", null, hexBlock(field.hex)), treeWithButtons(field.tree, "Field 55"))
              : null,
        (answer.dataRecord || []).length ? h("div.part", null,
            disclosure([h("span.what", null, h("strong", null, "The whole data record")), h("span.end")],
                () => [treeWithButtons(answer.dataRecord, "Data record")]))
                                         : null);
}

function cryptogramView(cryptogram) {
    if (!cryptogram) return null;
    return panel("What the cryptogram covers", facts([
        ["Type", cryptogram.type],
        ["Cryptogram", cryptogram.value ? h("code", null, cryptogram.value) : null],
        [
            "Counter",
            cryptogram.counter === null || cryptogram.counter === undefined ? null : String(cryptogram.counter)
        ],
        ["Rule", cryptogram.rule],
    ]),
        cryptogram.problem ? h("p.fault", null, cryptogram.problem) : null,
        (cryptogram.inputs || []).length ? h("ol.inputs", null,
            cryptogram.inputs.map(input => h("li", null, h("code.tag", null, input.tag),
                                      h("span.name", null, input.name), hexBlock(input.value))))
                                         : null,
        cryptogram.message ? h("div.part", null,
            h("h4", null, "In one piece", h("small", null, plural(byteCount(cryptogram.message), "byte")),
                copyButton(() => cryptogram.message, "the input of the cryptogram")),
            h("div.bytes", null, hexBlock(cryptogram.message)))
                           : null);
}
