// SPDX-License-Identifier: Apache-2.0
// The form of a tap: card, amount, currency, type, protection, what goes wrong. What can be chosen is the engine's
// catalogue; what is chosen becomes a request of the engine.
"use strict";

let catalog = null;
let languages = [];

function field(label, control, note = null, size = "") {
    return h("label.field" + size, null, h("span", null, label), control, note);
}

function options(list, chosen = null) {
    return list.map(one => h("option", { value: one.value, selected: one.value === chosen }, one.text));
}

// `prefix`: makes ids of several forms differ; `card`: the profile chosen at first.
function tapFields(prefix, card = "online") {
    const kernels = [...new Set(catalog.profiles.map(one => one.kernel))];
    const start = catalog.profiles.find(one => one.name === card) || catalog.profiles[0];
    const summary = h("small", { id: prefix + "summary" });
    const kernel = h("select", { id: prefix + "kernel" },
        options(kernels.map(name => ({ value: name, text: name || "Other cards" })), start.kernel));
    const profile = h("select", { id: prefix + "profile", "aria-describedby": prefix + "summary" });
    const describe = () => {
        const one = catalog.profiles.find(other => other.name === profile.value);
        summary.textContent = one ? `${one.scheme || one.label || one.kernel}: ${one.summary}` : "";
    };
    const fill = chosen => {
        const cards = catalog.profiles.filter(one => one.kernel === kernel.value);
        profile.replaceChildren(
            ...options(cards.map(one => ({ value: one.name, text: capitalised(words(one.name)) })), chosen));
        describe();
    };
    kernel.addEventListener("change", () => fill(null));
    profile.addEventListener("change", describe);
    fill(start.name);
    const amount = h("input", {
        type: "text",
        id: prefix + "amount",
        inputmode: "decimal",
        value: "12.50",
        autocomplete: "off",
        required: true
    });
    const currency = h("select", { id: prefix + "currency" },
        options(catalog.currencies.map(one => ({ value: one.code, text: one.code })), "EUR"));
    const type = h("select", { id: prefix + "type" },
        options(catalog.types.map(name => ({ value: name, text: capitalised(words(name)) })), "purchase"));
    const protection = h("select", { id: prefix + "protection" },
        options(catalog.protections.map(name => ({ value: name, text: capitalised(name) })), "guarded"));
    const plan = h("select", { id: prefix + "plan" },
        options(catalog.plans.map(one => ({ value: one.name, text: capitalised(one.summary) })), "none"));
    const faults = faultsEditor(prefix);
    const view = h("div.grid", null, field("Kernel", kernel, null, ".kernel"), field("Card", profile, summary, ".wide"),
        field("Type", type, null, ".third"), field("Amount", amount, null, ".third.half"),
        field("Currency", currency, null, ".third.half"), field("Protection", protection, null, ".half"),
        field("Fault plan", plan, null, ".half"), h("div.full", null, faults.view));
    const request = () => ({
        call: "tap",
        profile: profile.value,
        amount: amount.value.trim(),
        currency: currency.value,
        type: type.value,
        protection: protection.value,
        plan: plan.value,
        faults: faults.value(),
    });
    const title = () => `${kernel.value}, ${words(profile.value)}, ${amount.value.trim()} ${currency.value}`;
    return { view, request, title };
}

// Single faults: at which exchange, what happens, and what it takes.
function faultsEditor(prefix) {
    const rows = h("div.faults");
    const units = {
        count: ["Bytes", "10"],
        byte: ["Byte, from 0", "0"],
        bit: ["Bit, from 1", "1"],
        hex: ["Bytes", "6A82"],
        ms: ["Milliseconds", "500"]
    };
    const add = () => {
        const number = rows.children.length + 1;
        const at = h("input",
            { type: "number", min: "1", max: "99", value: String(number + 1), autocomplete: "off", name: "at" });
        const kind = h("select", { name: "kind" },
            options(
                catalog.faults.map(one => ({ value: one.name, text: capitalised(one.summary || words(one.name)) }))));
        const takes = h("span.takes-slot", { hidden: true });
        const remove = h("button.quiet", { type: "button", "aria-label": `Remove fault ${number}` }, "Remove");
        const row = h("div.fault-row", { role: "group", "aria-label": `Fault ${number}` }, field("Exchange", at),
            field("What happens", kind), takes, remove);
        const fill = () => {
            row.querySelectorAll(".takes").forEach(one => one.remove());
            const fault = catalog.faults.find(one => one.name === kind.value);
            takes.before(...fault.takes.map(
                name => field(units[name] ? units[name][0] : words(name),
                    h("input", { type: "text", name, value: units[name] ? units[name][1] : "", autocomplete: "off" }),
                    null, ".takes")));
        };
        kind.addEventListener("change", fill);
        remove.addEventListener("click", () => {
            row.remove();
            addButton.focus();
        });
        fill();
        rows.append(row);
        at.focus();
    };
    const addButton =
        h("button.plain", { type: "button", id: prefix + "add-fault", onclick: add }, "Add a single fault");
    const value = () => [...rows.children].map(row => {
        const fault = {
            at: Number(row.querySelector("[name=at]").value),
            kind: row.querySelector("[name=kind]").value
        };
        for (const input of row.querySelectorAll(".takes input")) {
            const text = input.value.trim();
            fault[input.name] = input.name === "hex" ? text.replace(/\s/g, "") : text === "" ? null : Number(text);
        }
        return fault;
    });
    return { view: h("div", null, rows, addButton), value };
}

// Local time, which a virtual card is shown.
function moment() {
    const now = new Date(), two = number => String(number).padStart(2, "0");
    return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}T${two(now.getHours())}:${
        two(now.getMinutes())}:${two(now.getSeconds())}`;
}

// As many as the engine draws for a tap that brings none (VirtualTap.randomSize), more than any kernel needs in one tap.
// Two taps that are compared get the same.
function randomBytes() {
    return [...crypto.getRandomValues(new Uint8Array(1024))]
        .map(byte => byte.toString(16).padStart(2, "0").toUpperCase())
        .join("");
}
