// SPDX-License-Identifier: Apache-2.0
// Data objects as a tree that keyboard and screen reader know (WAI-ARIA tree view): arrows move, open and close, Home
// and End go to the ends, * opens all beside an object. One element of it takes part in the order of Tab.
"use strict";

// So many objects of a tree are shown: more than a person reads, and few enough for any browser.
const mostObjects = 2000;

// `nodes`: what the engine says of data objects; `label`: what the tree is of.
function tree(nodes, label) {
    const list = h("ul.tree", { role: "tree", "aria-label": label }, treeItems(nodes, 1, { left: mostObjects }));
    const first = list.querySelector("[role=treeitem]");
    if (first) first.tabIndex = 0;
    list.addEventListener("keydown", event => treeKey(event, list));
    list.addEventListener("click", event => {
        const row = event.target.closest(".row");
        if (!row || String(getSelection())) return;
        const item = row.parentElement;
        treeFocus(list, item);
        if (item.hasAttribute("aria-expanded")) treeToggle(item);
    });
    return list;
}

// With buttons that open and close everything, where there is something to open.
function treeWithButtons(nodes, label) {
    const view = tree(nodes, label);
    if (!nodes.some(node => node.children.length)) return view;
    return h("div.treeview", null, treeButtons(view), view);
}

function treeButtons(view) {
    const all = open => () => {
        view.querySelectorAll("[aria-expanded]").forEach(item => treeToggle(item, open));
        treeSettle(view);
    };
    return h("div.treebuttons", null, h("button.plain", { type: "button", onclick: all(true) }, "Open all"),
        h("button.plain", { type: "button", onclick: all(false) }, "Close all"));
}

// `rest.left`: how many objects of the whole tree may still be shown.
function treeItems(nodes, level, rest) {
    const items = [];
    for (const [at, node] of nodes.entries()) {
        if (rest.left === 0) {
            items.push(h("li.more", { role: "treeitem", tabindex: "-1", "aria-level": level },
                restOf(nodes.length - at, "data object")));
            break;
        }
        rest.left -= 1;
        items.push(treeItem(node, level, rest));
    }
    return items;
}

function treeItem(node, level, rest) {
    const nested = node.children.length > 0;
    const item = h("li", {
        role: "treeitem",
        tabindex: "-1",
        "aria-level": level,
        "aria-expanded": nested ? "true" : null,
        "aria-label": treeLabel(node),
        "data-tag": node.tag,
    });
    item.style.setProperty("--level", level - 1);
    item.append(h("div.row", null,
        h("span.object", null, h("i.caret", { "aria-hidden": "true" }), h("code.tag", null, node.tag),
            h("span.name", null, node.name,
                h("small", null,
                    plural(node.length, "byte")
                        + (node.available === node.length ? "" : `, ${node.available} there`)))),
        node.value || node.text || node.meanings.length ? h("span.value", null,
            node.value ? node.value.startsWith("(") ? h("em", null, "masked") : hexBlock(node.value) : null,
            node.text ? h("q", null, node.text) : null, node.meanings.length ? meanings(node.meanings) : null)
                                                        : null));
    if (nested) item.append(h("ul", { role: "group" }, treeItems(node.children, level + 1, rest)));
    return item;
}

// For those who hear it: digits of a masked value would be read as so many asterisks.
function treeLabel(node) {
    const value =
        node.masked ? "masked" : node.text || (node.length > 0 && node.length <= 16 ? pairs(node.value).join(" ") : "");
    return [`${node.tag} ${node.name}`, plural(node.length, "byte"), value, ...node.meanings.map(line => line.trim())]
        .filter(Boolean)
        .join(", ");
}

// "byte 1 bit 8: …" in columns, everything else as it is; two spaces before a line: it belongs to the one above.
function meanings(lines) {
    return h("span.meanings", null, lines.map(line => {
        const deep = line.startsWith("  ") ? ".deep" : "";
        const bit = /^\s*byte (\d+) bits? ([\d-]+): (.*)$/.exec(line);
        const object = /^\s*([0-9A-F]{2,8}) (.+) \[(\d+)\]$/.exec(line);
        if (bit) return h("span.bit" + deep, null, h("code", null, `B${bit[1]} b${bit[2]}`), h("span", null, bit[3]));
        if (object)
            return h("span.bit" + deep, null, h("code", null, object[1]),
                h("span", null, object[2], h("small", null, plural(Number(object[3]), "byte"))));
        return h("span" + deep, null, line.trim());
    }));
}

function treeVisible(list) {
    return [...list.querySelectorAll("[role=treeitem]")].filter(
        item => !item.parentElement.closest("[aria-expanded=false]"));
}

function treeFocus(list, item) {
    for (const other of list.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus({ preventScroll: false });
}

// Where the object that takes part in the order of Tab is hidden, the first one does.
function treeSettle(list) {
    const items = treeVisible(list), current = list.querySelector("[tabindex='0']");
    if (!items.length || items.includes(current)) return;
    if (current) current.tabIndex = -1;
    items[0].tabIndex = 0;
}

function treeToggle(item, open = item.getAttribute("aria-expanded") === "false") {
    item.setAttribute("aria-expanded", String(open));
}

function treeKey(event, list) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const items = treeVisible(list), at = items.indexOf(item), expanded = item.getAttribute("aria-expanded");
    let to = null;
    switch (event.key) {
    case "ArrowDown": to = items[at + 1]; break;
    case "ArrowUp": to = items[at - 1]; break;
    case "Home": to = items[0]; break;
    case "End": to = items[items.length - 1]; break;
    case "ArrowRight":
        if (expanded === "false")
            treeToggle(item, true);
        else if (expanded === "true")
            to = item.querySelector("[role=treeitem]");
        break;
    case "ArrowLeft":
        if (expanded === "true")
            treeToggle(item, false);
        else
            to = item.parentElement.closest("[role=treeitem]");
        break;
    case "Enter":
    case " ":
        if (expanded !== null) treeToggle(item);
        break;
    case "*":
        for (const other of item.parentElement.children)
            if (other.hasAttribute("aria-expanded")) treeToggle(other, true);
        break;
    default: return;
    }
    event.preventDefault();
    if (to) treeFocus(list, to);
}
