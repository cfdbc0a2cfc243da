// SPDX-License-Identifier: Apache-2.0
// What the page does when somebody pastes, drops, clicks or types. It keeps what is shown in memory alone: no storage,
// no address, no title, no history holds any of it.
"use strict";

const shown = {
    // Read view: text that is shown, its file's name; how to make the result anew with other settings.
    read: null,
    tap: null,
    compare: null,
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

// Shows what `make` gives in `place`; what a later call has replaced meanwhile is dropped, and its call to the engine
// ended. `keeps`: the same result with other settings, so what is open stays open.
async function show(place, make, keeps = false) {
    const turn = begin(place);
    let view = null;
    try {
        view = await make();
    } catch (problem) { view = failed(problem); }
    if (place.turn !== turn) return false;
    const restore = keeps ? openness(place) : null;
    place.replaceChildren(...[view].flat().filter(Boolean));
    if (restore) restore();
    return true;
}

// What was asked for this place before is given up.
function begin(place) {
    place.turn = (place.turn || 0) + 1;
    engine.cancel(place.id);
    return place.turn;
}

function empty(place) {
    begin(place);
    place.replaceChildren();
}

function failed(problem) {
    const message = problem && problem.message || String(problem);
    return wrong("This cannot be shown", `${message}: more than this browser can hold, or a defect of the page`);
}

// What nobody has caught.
function listenToFailures() {
    const tell = message => {
        const notice = wrong("Something on this page failed", `${message}. What is shown may be incomplete.`);
        byId("trouble")?.remove();
        notice.id = "trouble";
        byId("main").prepend(notice);
    };
    addEventListener("error", event => tell(event.message));
    addEventListener("unhandledrejection", event => tell(event.reason && event.reason.message || event.reason));
}

// Gives what has come anew the open steps and closed objects of what was there, by their places.
function openness(place) {
    const steps = [...place.querySelectorAll("details")].map(
        one => ({ open: one.open, filled: Boolean(one.querySelector(".body").firstChild) }));
    const objects = [...place.querySelectorAll("[aria-expanded]")].map(one => one.getAttribute("aria-expanded"));
    return () => {
        const details = [...place.querySelectorAll("details")];
        if (details.length !== steps.length) return;
        for (const [at, one] of details.entries()) {
            if (steps[at].filled) one.fill();
            one.open = steps[at].open;
        }
        const items = [...place.querySelectorAll("[aria-expanded]")];
        if (items.length !== objects.length) return;
        for (const [at, item] of items.entries()) treeToggle(item, objects[at] === "true");
    };
}

// Brings a result into sight and tells it.
function reveal(place) {
    const heading = place.querySelector("h2");
    if (!heading) {
        if (place.firstChild) place.firstChild.scrollIntoView({ block: "nearest" });
        return;
    }
    tell(place);
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start", behavior: "smooth" });
}

// Tells a result without moving to it. An error is told by its role.
function tell(place) {
    const heading = place.querySelector("h2");
    if (heading && !place.closest("[hidden]")) say(heading.textContent);
}

// MARK: Taps

const replayRequest = (text, file) => ({ call: "replay", trace: text, file });

// Asks for a tap or a replay and makes its view; `request`: without the settings.
async function tapResult(request, origin, place) {
    const answer = await engine.call({...request, ...settings() }, place.id);
    if (answer.error)
        return wrong(
            request.call === "replay" ? "This trace cannot be replayed" : "This card cannot be tapped", answer.error);
    const keep = () => keepForComparison({ title: origin, request });
    return tapView(answer, origin,
        [h("button.quiet", { type: "button", onclick: keep }, "Compare…"), saveButton(answer, "Save as a trace")]);
}

function saveButton(answer, label) {
    const name = (answer.name || "tap").replace(/[^A-Za-z0-9._-]+/g, "-") || "tap";
    return h("button.quiet", { type: "button", onclick: () => save(answer.trace, `${name}.json`) }, label);
}

// Side B stays as it is.
function keepForComparison(kept) {
    compareSides[0].keep(kept);
    shown.compare = null;
    empty(byId("compare-result"));
    openView("compare", true);
}

// MARK: Read

// What waits for somebody to stop typing.
let typing = 0;

// `jump`: moves to the result; `from`: what it was read from, where that is not in the text area; `keeps`: as `show`.
async function readText(text, file = "pasted", { jump = true, from = "", keeps = false } = {}) {
    const place = byId("read-result");
    clearTimeout(typing);
    shown.read = text.trim() ? { text, file, from } : null;
    byId("clear").hidden = !shown.read;
    byId("read-examples").hidden = Boolean(shown.read);
    byId("from").textContent = from;
    byId("from").hidden = !from;
    if (!shown.read) return empty(place);
    const done = await show(place, async () => {
        if (text.length > mostText) return wrong("This text cannot be read", tooLong(text.length, "character"));
        const answer = await engine.call({ call: "read", text, showsPAN: settings().showsPAN }, place.id);
        if (answer.error) return wrong("This cannot be read", answer.error);
        switch (answer.kind) {
        case "trace":
            return tapResult(replayRequest(text, file), "Trace" + (answer.name ? ` · ${answer.name}` : ""), place);
        case "log": return logView(answer);
        case "configuration":
            return h("div.notice", { role: "status" },
                h("p", null, h("strong", null, "A configuration, emv-configuration/1")),
                h("p", null,
                    "It says what a reader does and holds no tap; expected a trace, emv-trace/1, which has one."));
        default: return dataView(answer);
        }
    }, keeps);
    if (!done) return;
    if (jump)
        reveal(place);
    else
        tell(place);
}

// The text of a file does not go into the text area: it would show account numbers that nobody asked for.
async function readFile(file) {
    const place = byId("read-result");
    leaveReport();
    openView("read");
    byId("text").value = "";
    await readText("");
    const turn = begin(place);
    try {
        const text = await fileText(file);
        if (place.turn === turn) await readText(text, file.name, { from: fileLine(file) });
    } catch (problem) {
        if (place.turn !== turn) return;
        byId("clear").hidden = false;
        place.replaceChildren(wrong("This file cannot be read", `${file.name}: ${problem.message}`));
        reveal(place);
    }
}

function fileLine(file) { return `${file.name}, ${plural(file.size, "byte")}`; }

function listenToInput() {
    const text = byId("text");
    const later = (wait, jump) => {
        clearTimeout(typing);
        typing = setTimeout(() => readText(text.value, "pasted", { jump }), wait);
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
        const side = compareSides.find(one => one.view.contains(event.target));
        if (side && (file || dropped))
            side.take(file, dropped);
        else if (file)
            readFile(file);
        else if (dropped) {
            leaveReport();
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
    const place = byId("tap-result"), { tap } = shown;
    if (!tap || !await show(place, () => tapResult(tap.request, tap.title, place), !jump)) return;
    if (jump)
        reveal(place);
    else
        tell(place);
}

// MARK: Compare

let compareSides = [];

function fillCompareForm() {
    const form = byId("compare-form");
    compareSides = ["A", "B"].map(letter => compareSide(letter));
    form.replaceChildren(h("div.sides", null, compareSides.map(side => side.view)),
        h("div.submit", null, h("button", { type: "submit", id: "compare-now" }, "Compare")));
    form.onsubmit = event => {
        event.preventDefault();
        const kept = compareSides[0].kept();
        const same = kept && kept.request.call === "tap" ? kept.request : { moment: moment(), random: randomBytes() };
        shown.compare = compareSides.map(side => side.value({ moment: same.moment, random: same.random }));
        showComparison(true);
    };
}

// One side: a tap that was shown, a virtual card, or a trace.
function compareSide(letter) {
    const prefix = `side-${letter.toLowerCase()}-`;
    const fields = tapFields(prefix, letter === "A" ? "online" : "fdda");
    const text = h("textarea", {
        id: prefix + "text",
        spellcheck: "false",
        autocomplete: "off",
        rows: "5",
        placeholder: "{ \"format\": \"emv-trace/1\", …"
    });
    const input = h("input.spoken", { type: "file" }), from = h("p.from", { role: "status", hidden: true });
    const kind = h("select", { id: prefix + "kind" },
        options([{ value: "card", text: "A virtual card" }, { value: "trace", text: "A trace" }]));
    const trace =
        h("div", null, field("Trace", text), h("p", null, h("label.button.quiet", null, "Choose a file", input)), from);
    // A file that was chosen, and a tap that was kept: `{ title, request }`.
    let held = null, own = null;
    const fill = () => {
        fields.view.hidden = kind.value !== "card";
        trace.hidden = kind.value !== "trace";
    };
    const choose = value => {
        kind.value = value;
        fill();
    };
    const note = line => {
        from.textContent = line;
        from.hidden = !line;
    };
    const take = async (file, dropped) => {
        choose("trace");
        text.value = file ? "" : dropped || "";
        held = null;
        note("");
        if (!file) return;
        const mine = held = { title: file.name, text: "" };
        try {
            mine.text = await fileText(file);
            if (held === mine) note(fileLine(file));
        } catch (problem) {
            if (held === mine) note(mine.problem = `${file.name} cannot be read: ${problem.message}`);
        }
    };
    input.addEventListener("change", () => {
        const [file] = input.files;
        input.value = "";
        if (file) take(file);
    });
    text.addEventListener("input", () => {
        held = null;
        note("");
    });
    kind.addEventListener("change", fill);
    fill();
    const view = h("fieldset.card", null, h("legend", null, letter),
        h("div.grid.what-grid", null, field("What", kind, null, ".full")), fields.view, trace);
    const keep = kept => {
        own = kept;
        kind.querySelector("[value=kept]")?.remove();
        kind.prepend(h("option", { value: "kept" }, kept.title));
        choose("kept");
    };
    const value = same => {
        switch (kind.value) {
        case "kept": return own;
        case "trace": {
            const { title, text: source, problem } = held || { title: "trace", text: text.value };
            const long = source.length > mostText ? tooLong(source.length, "character") : null;
            return { title, problem: problem || long, request: replayRequest(source, `trace ${letter}`) };
        }
        default: return { title: fields.title(), request: {...fields.request(), ...same } };
        }
    };
    return { view, value, keep, take, kept: () => kind.value === "kept" ? own : null };
}

async function showComparison(jump) {
    const place = byId("compare-result"), sides = shown.compare;
    if (!sides) return;
    const done = await show(place, async () => {
        const unusable = sides.map((side, at) => side.problem ? sideProblem(at, side.problem) : null).filter(Boolean);
        if (unusable.length) return unusable;
        const [a, b] = sides.map(side => ({...side.request, ...settings() }));
        const answer = await engine.call({ call: "compare", a, b }, place.id);
        // A request that is refused names its side first: "b.amount: …".
        const named = /^([ab])[.:] *(.*)$/s.exec(answer.error || "");
        if (named) return sideProblem("ab".indexOf(named[1]), named[2]);
        if (answer.error) return wrong("These taps cannot be compared", answer.error);
        const answers = [answer.a, answer.b];
        const bad = answers.map((one, at) => one.error ? sideProblem(at, one.error) : null).filter(Boolean);
        if (bad.length) return bad;
        return compareView(sides.map((side, at) => ({ title: side.title, answer: answers[at] })), answer.steps,
            answers.map((one, at) => saveButton(one, `Save ${"AB"[at]} as a trace`)));
    }, !jump);
    if (!done) return;
    if (jump)
        reveal(place);
    else
        tell(place);
}

function sideProblem(at, why) { return wrong(`${"AB"[at]} cannot be used`, why); }

// MARK: Start

// Everything that is shown, anew: account numbers or the language have changed.
function again() {
    if (shown.read) readText(shown.read.text, shown.read.file, { jump: false, from: shown.read.from, keeps: true });
    showTap(false);
    showComparison(false);
}

// A page that the browser keeps for "back" holds nothing of before, and begins anew when it comes back.
function listenToLeaving() {
    addEventListener("pagehide", () => {
        byId("text").value = "";
        readText("");
        Object.assign(shown, { read: null, tap: null, compare: null });
        for (const name of views) empty(byId(name + "-result"));
        byId("tap")?.remove();
        fillCompareForm();
    });
    addEventListener("pageshow", event => {
        if (event.persisted) location.reload();
    });
}

async function start() {
    listenToFailures();
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
    listenToLeaving();
    const report = byId("tap").textContent.trim();
    if (report) await openReport(report);
    document.documentElement.dataset.ready = "true";
}

// The file was written as a report: it opens on its tap.
async function openReport(text) {
    byId("read-input").hidden = true;
    byId("reported").hidden = false;
    byId("reported").querySelector("button").addEventListener("click", () => {
        leaveReport();
        readText("");
        byId("text").focus();
    });
    await readText(text, "report", { jump: false });
}

function leaveReport() {
    byId("read-input").hidden = false;
    byId("reported").hidden = true;
}

start();
