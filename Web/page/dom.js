// SPDX-License-Identifier: Apache-2.0
// Makes elements. Text only ever becomes text: nothing of the input is read as HTML, and the page's policy would refuse
// it. Knows nothing of cards.
"use strict";

// An element: `h("p.muted", { id: "x", onclick: f }, "text", other)`. Attributes of value null or false are left out.
function h(name, attributes, ...children) {
    const [tag, ...classes] = name.split(".");
    const element = document.createElement(tag || "div");
    if (classes.length) element.className = classes.join(" ");
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on"))
            element.addEventListener(key.slice(2), value);
        else if (key === "value" || key === "checked" || key === "selected")
            element[key] = value;
        else
            element.setAttribute(key, value === true ? "" : String(value));
    }
    addAll(element, children);
    return element;
}

// One by one: a call takes no hundred thousand arguments.
function addAll(element, children) {
    for (const child of children)
        if (Array.isArray(child))
            addAll(element, child);
        else if (child !== null && child !== undefined && child !== false)
            element.append(child);
}

// The views of the first `most` of a list, and how many are left out.
function firstOf(list, most, view, what, element = "li") {
    const views = list.slice(0, most).map(view);
    if (list.length > most) views.push(h(element + ".more", null, restOf(list.length - most, what)));
    return views;
}

function restOf(count, what) { return `… and ${grouped(count)} more ${what}${count === 1 ? "" : "s"}`; }

// 12345 → "12,345".
function grouped(number) { return number.toLocaleString("en"); }

const byId = id => document.getElementById(id);

// Says it to a screen reader.
function say(text) { byId("status").textContent = text; }

function plural(count, one, many = one + "s") { return `${grouped(count)} ${count === 1 ? one : many}`; }

// "onlinePINRequired" → "online PIN required": names of the engine, where no better words are known.
function words(name) {
    return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
        .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
        .split(" ")
        .map(word => /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase())
        .join(" ");
}

function capitalised(text) { return text.charAt(0).toUpperCase() + text.slice(1); }

// A message about what went wrong: "line 3, column 9: …" says where in what was read.
function wrong(title, message) {
    return h("div.notice.wrong", { role: "alert" }, h("p", null, h("strong", null, title)), h("p", null, message));
}

// The text of a file, or an error that says why not.
const mostText = 8_000_000;
async function fileText(file) {
    if (file.size > mostText) throw new Error(tooLong(file.size, "byte"));
    try {
        return await file.text();
    } catch (problem) { throw new Error(`${problem.message || problem.name}; expected a file, no folder`); }
}

function tooLong(size, unit) { return `it has ${plural(size, unit)}; expected at most ${grouped(mostText)}`; }

// Saves a file without a connection: from memory, by a link that lives for the click.
function save(text, name, type = "application/json") {
    const url = URL.createObjectURL(new Blob([text], { type }));
    const link = h("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function copyButton(text, what) {
    const button = h("button.plain.copy", { type: "button", "aria-label": `Copy ${what}` }, "Copy");
    button.addEventListener("click", async () => {
        try {
            await navigator.clipboard.writeText(text());
            button.textContent = "Copied";
            say(`${capitalised(what)} copied`);
        } catch { button.textContent = "Not allowed here"; }
        setTimeout(() => {
            button.textContent = "Copy";
        }, 1600);
    });
    return button;
}
