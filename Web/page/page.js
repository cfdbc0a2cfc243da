// SPDX-License-Identifier: Apache-2.0
// What the page does when somebody pastes, drops, clicks or types. It keeps what is shown in memory alone: no storage,
// no address, no title, no history holds any of it.
"use strict";

const shown = {
    // Read view: text that is shown, its file's name; how to make the result anew with other settings.
    read: null,
    tap: null,
    compare: null,
    // A tap kept for side A of a comparison: `{ title, request }`.
    kept: null,
};

// Settings that each request carries.
function settings() { return { language: byId("language").value, showsPAN: byId("shows-pan").checked }; }

// MARK: Views

const views = ["read", "tap", "compare"];

function openView(name, focus = false) {
    for (const other of views) {
        const tab = byId("tab-" + other);
        tab.setAttribute("aria-selected", String(other === name));
        tab.tabIndex = other === name ? 0 : -1;
        byId("view-" + other).hidden = other !== name;
    }
    if (focus) byId("tab-" + name).focus();
    scrollTo(0, 0);
}

function listenToTabs() {
    for (const [at, name] of views.entries()) {
        const tab = byId("tab-" + name);
        tab.addEventListener("click", () => openView(name));
        tab.addEventListener("keydown", event => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            const to = step ? (at + step + views.length) % views.length : { Home: 0, End: views.length - 1 }[event.key];
            if (to === undefined) return;
            event.preventDefault();
            openView(views[to], true);
        });
    }
}

// Shows what `make` gives in `place`; what a later call has replaced meanwhile is dropped.
async function show(place, make) {
    const turn = place.turn = (place.turn || 0) + 1;
    const view = await make();
    if (place.turn !== turn) return false;
    place.replaceChildren(...[view].flat().filter(Boolean));
    return true;
}

// Brings a result into sight and tells it.
function reveal(place) {
    const heading = place.querySelector("h2");
    if (!heading) {
        if (place.firstChild) place.firstChild.scrollIntoView({ block: "nearest" });
        return;
    }
    say(heading.textContent);
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start", behavior: "smooth" });
}

// MARK: Taps

const replayRequest = (text, file) => ({ call: "replay", trace: text, file });

// Asks for a tap or a replay and makes its view; `request`: without the settings.
async function tapResult(request, origin) {
    const answer = await engine.call({...request, ...settings() });
    if (answer.error)
        return wrong(
            request.call === "replay" ? "This trace cannot be replayed" : "This card cannot be tapped", answer.error);
    const name = (answer.name || "tap").replace(/[^A-Za-z0-9._-]+/g, "-") || "tap";
    const keep = () => keepForComparison({ title: origin, request });
    return tapView(answer, origin, [
        h("button.quiet", { type: "button", onclick: keep }, "Compare…"),
        h("button.quiet", { type: "button", onclick: () => save(answer.trace, `${name}.json`) }, "Save as a trace"),
    ]);
}

function keepForComparison(side) {
    shown.kept = side;
    fillCompareForm();
    openView("compare", true);
}

// MARK: Read

async function readText(text, file = "pasted", jump = true) {
    const place = byId("read-result");
    shown.read = text.trim() ? { text, file } : null;
    byId("clear").hidden = !shown.read;
    byId("read-examples").hidden = Boolean(shown.read);
    if (!shown.read) {
        place.turn = (place.turn || 0) + 1;
        place.replaceChildren();
        return;
    }
    const done = await show(place, async () => {
        const answer = await engine.call({ call: "read", text, showsPAN: settings().showsPAN });
        if (answer.error) return wrong("This cannot be read", answer.error);
        switch (answer.kind) {
        case "trace": return tapResult(replayRequest(text, file), "Trace" + (answer.name ? ` · ${answer.name}` : ""));
        case "log": return logView(answer);
        case "configuration":
            return h("div.notice", { role: "status" },
                h("p", null, h("strong", null, "A configuration, emv-configuration/1")),
                h("p", null,
                    "It says what a reader does and holds no tap; expected a trace, emv-trace/1, which has one."));
        default: return dataView(answer);
        }
    });
    if (done && jump) reveal(place);
}

async function readFile(file) {
    const limit = 8_000_000;
    if (file.size > limit) {
        const [size, most] = [file.size, limit].map(number => number.toLocaleString("en"));
        byId("read-result")
            .replaceChildren(wrong("This file cannot be read", `it has ${size} bytes; expected at most ${most}`));
        return;
    }
    const text = await file.text();
    openView("read");
    // A long file is read as it is: a text area is no place for it.
    byId("text").value = text.length <= 200_000 ? text : "";
    await readText(text, file.name);
}

function listenToInput() {
    const text = byId("text");
    let waiting = 0;
    const later = (wait, jump) => {
        clearTimeout(waiting);
        waiting = setTimeout(() => readText(text.value, "pasted", jump), wait);
    };
    text.addEventListener("paste", () => later(0, true));
    text.addEventListener("input", event => {
        if (event.inputType !== "insertFromPaste") later(300, false);
    });
    byId("clear").addEventListener("click", () => {
        text.value = "";
        readText("");
        text.focus();
    });
    byId("file").addEventListener("change", event => {
        const [file] = event.target.files;
        event.target.value = "";
        if (file) readFile(file);
    });
    let depth = 0;
    const over = show => {
        byId("drop").hidden = !show;
    };
    addEventListener("dragenter", event => {
        event.preventDefault();
        depth += 1;
        over(true);
    });
    addEventListener("dragleave", () => {
        depth -= 1;
        if (depth <= 0) over(false);
    });
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => {
        event.preventDefault();
        depth = 0;
        over(false);
        const [file] = event.dataTransfer.files, dropped = event.dataTransfer.getData("text/plain");
        if (file)
            readFile(file);
        else if (dropped) {
            openView("read");
            text.value = dropped;
            readText(dropped, "dropped");
        }
    });
}

// MARK: Tap

function fillTapForm() {
    const form = byId("tap-form"), fields = tapFields("tap-");
    form.className = "card";
    form.replaceChildren(
        fields.view, h("div.submit", null, h("button", { type: "submit", id: "tap-now" }, "Tap the card")));
    form.onsubmit = event => {
        event.preventDefault();
        // The same randomness and moment when the settings change: the tap that is shown stays the same tap.
        shown.tap = { request: {...fields.request(), moment: moment(), random: randomBytes() }, title: fields.title() };
        showTap(true);
    };
}

async function showTap(jump) {
    const place = byId("tap-result");
    if (shown.tap && await show(place, () => tapResult(shown.tap.request, shown.tap.title)) && jump) reveal(place);
}

// MARK: Compare

function fillCompareForm() {
    const form = byId("compare-form");
    const sides = ["A", "B"].map((letter, at) => compareSide(letter, at === 0 ? shown.kept : null));
    form.replaceChildren(h("div.sides", null, sides.map(side => side.view)),
        h("div.submit", null, h("button", { type: "submit", id: "compare-now" }, "Compare")));
    byId("compare-result").replaceChildren();
    form.onsubmit = event => {
        event.preventDefault();
        const same = { moment: moment(), random: randomBytes() };
        const kept = shown.kept && shown.kept.request.call === "tap" ? shown.kept.request : null;
        if (kept) {
            same.moment = kept.moment;
            same.random = kept.random;
        }
        shown.compare = sides.map(side => side.value(same));
        showComparison(true);
    };
}

// One side: a tap that was shown, a virtual card, or a trace.
function compareSide(letter, kept) {
    const prefix = `side-${letter.toLowerCase()}-`;
    const fields = tapFields(prefix, letter === "A" ? "online" : "fdda");
    const text = h("textarea", {
        id: prefix + "text",
        spellcheck: "false",
        autocomplete: "off",
        rows: "5",
        placeholder: "{ \"format\": \"emv-trace/1\", …"
    });
    const file = h("input.spoken", { type: "file" });
    file.addEventListener("change", async () => {
        if (file.files[0]) text.value = await file.files[0].text();
    });
    const kinds = [
        ...(kept ? [{ value: "kept", text: kept.title }] : []), { value: "card", text: "A virtual card" },
        { value: "trace", text: "A trace" }
    ];
    const kind = h("select", { id: prefix + "kind" }, options(kinds));
    const trace =
        h("div", null, field("Trace", text), h("p", null, h("label.button.quiet", null, "Choose a file", file)));
    const fill = () => {
        fields.view.hidden = kind.value !== "card";
        trace.hidden = kind.value !== "trace";
    };
    kind.addEventListener("change", fill);
    fill();
    const view = h("fieldset.card", null, h("legend", null, letter),
        h("div.grid.what-grid", null, field("What", kind, null, ".full")), fields.view, trace);
    const value = same => {
        switch (kind.value) {
        case "kept": return kept;
        case "trace": return { title: "trace", request: replayRequest(text.value, `trace ${letter}`) };
        default: return { title: fields.title(), request: {...fields.request(), ...same } };
        }
    };
    return { view, value };
}

async function showComparison(jump) {
    const place = byId("compare-result");
    if (!shown.compare) return;
    const done = await show(place, async () => {
        const sides = await Promise.all(shown.compare.map(async side => ({
            title: side.title,
            answer: await engine.call({...side.request, ...settings() }),
        })));
        const bad =
            sides.map((side, at) => side.answer.error ? wrong(`${"AB"[at]} cannot be used`, side.answer.error) : null)
                .filter(Boolean);
        return bad.length ? bad : compareView(sides);
    });
    if (done && jump) reveal(place);
}

// MARK: Start

// Everything that is shown, anew: account numbers or the language have changed.
function again() {
    if (shown.read) readText(shown.read.text, shown.read.file, false);
    showTap(false);
    showComparison(false);
}

async function start() {
    engine.start();
    listenToTabs();
    listenToInput();
    byId("shows-pan").addEventListener("change", again);
    byId("language").addEventListener("change", again);
    addEventListener("beforeprint", () => {
        for (const details of document.querySelectorAll("main details")) {
            details.fill();
            details.open = true;
        }
    });
    // A page that comes back from the browser's cache of pages shows nothing of before.
    addEventListener("pagehide", () => {
        byId("text").value = "";
    });
    byId("read-examples")
        .append(examplesView(
            text => {
                byId("text").value = text;
                readText(text, "example");
            },
            () => {
                openView("tap", true);
                byId("tap-now")?.click();
            }));
    catalog = await engine.call({ call: "catalog" });
    if (catalog.error) {
        byId("main").prepend(wrong("The kernel does not run here", catalog.error));
        return;
    }
    languages = catalog.languages;
    byId("language").replaceChildren(...options(languages.map(one => ({ value: one.tag, text: one.name })), "en"));
    byId("version").textContent =
        `Contract ${catalog.version}; ${catalog.kernels.join(", ")}; ${catalog.profiles.length} virtual cards.`;
    fillTapForm();
    fillCompareForm();
    const report = byId("tap").textContent.trim();
    if (report) await openReport(report);
    document.documentElement.dataset.ready = "true";
}

// The file was written as a report: it opens on its tap.
async function openReport(text) {
    const line = byId("reported");
    byId("read-input").hidden = true;
    line.hidden = false;
    line.querySelector("button").addEventListener("click", () => {
        byId("read-input").hidden = false;
        line.hidden = true;
        readText("");
        byId("text").focus();
    });
    await readText(text, "report", false);
}

start();
