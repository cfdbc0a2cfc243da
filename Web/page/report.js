// SPDX-License-Identifier: Apache-2.0
// Checks a page of emv-bench --html at the width that the browser has. report.py runs it with the JSON of the same run,
// or null; it is no part of any page. Its value: what is wrong, how many scenarios the page has, how many figures were
// compared.
(run => {
    const found = [];
    const wrong = (element, what) => {
        const section = element && element.closest("section");
        found.push(`${section ? section.id + ": " : ""}${what}`);
    };
    const overlap = (a, b) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;

    /* Every box is inside the page, every text inside its box. A bar's box hides what is beyond it, so bars are checked
       separately. */
    function boxes() {
        const width = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth > width)
            wrong(null, `the page is ${document.documentElement.scrollWidth} wide`);
        for (const element of document.body.querySelectorAll("*")) {
            const box = element.getBoundingClientRect();
            if (box.width === 0) continue;
            const words = element.textContent.trim().slice(0, 40);
            if (box.left < -1 || box.right > width + 1)
                wrong(element, `<${element.tagName}> "${words}" leaves the page`);
            if (element.namespaceURI.endsWith("xhtml") && element.clientWidth > 0
                && element.scrollWidth > element.clientWidth + 1)
                wrong(element, `<${element.tagName}> "${words}" is too long for its box`);
        }
    }
    function bars() {
        for (const track of document.querySelectorAll(".track")) {
            const box = track.getBoundingClientRect();
            for (const bar of track.children) {
                const own = bar.getBoundingClientRect();
                if (own.left < box.left - 1 || own.right > box.right + 2)
                    wrong(track, `a bar leaves its track: ${bar.title}`);
            }
        }
        for (const group of document.querySelectorAll(".ticks, .ends, .row, ul, dl, tr")) {
            const parts = [...group.children].map(part => part.getBoundingClientRect()).filter(box => box.width > 0);
            if (parts.some((box, at) => parts.slice(at + 1).some(other => overlap(box, other))))
                wrong(group, `parts of "${group.textContent.trim().slice(0, 40)}" overlap`);
        }
    }
    function sections() {
        const scenarios = [...document.querySelectorAll("section")].filter(
            section => !["overview", "functions"].includes(section.id));
        if (scenarios.length === 0) wrong(null, "no scenario");
        for (const section of scenarios) {
            if (!section.querySelector("h2")) wrong(section, "no heading");
            if (!section.querySelector("p.none") && !section.querySelector("[aria-label=timeline] .track i"))
                wrong(section, "no timeline");
            if (!section.querySelector("[aria-label=budget] .track")) wrong(section, "no budget");
            const histograms = [...section.querySelectorAll("[aria-label=histogram] svg")];
            if (histograms.length === 0) wrong(section, "no histogram");
            for (const histogram of histograms) {
                const heights = [...histogram.querySelectorAll("rect")].map(bar => bar.getBoundingClientRect().height);
                if (Math.max(0, ...heights) < 30) wrong(section, "an empty histogram");
            }
        }
        for (const link of document.querySelectorAll("a")) {
            if (!document.getElementById(decodeURIComponent(link.hash.slice(1))))
                wrong(link, `the link to ${link.hash} leads nowhere`);
        }
        return scenarios.length;
    }
    /* Nothing is loaded from anywhere else, and nothing runs. */
    function alone() {
        const fetched = performance.getEntriesByType("resource").map(entry => entry.name);
        if (fetched.length) wrong(null, `the page fetches ${fetched[0]}`);
        for (const element of document.querySelectorAll("script, link, iframe, object, embed, [src]"))
            wrong(element, `<${element.tagName}> in a page that needs no other file`);
    }

    /* The figures of the page are those of the run, in the digits that the page shows. */
    let compared = 0;
    function same(element, what, shown, exact) {
        compared++;
        const text = shown.replace(/[\u202F\s]/g, "").replace(/[^0-9.].*$/, "");
        const digits = (text.split(".")[1] || "").length;
        if (text === "" || Math.abs(Number(text) - exact) > 0.5001 * Math.pow(10, -digits))
            wrong(element, `${what}: the page says "${shown}", the run ${exact}`);
    }
    function figures() {
        if (!run) return;
        const names = [...new Set(run.scenarios.map(row => row.name))];
        for (const name of names) {
            const rows = run.scenarios.filter(row => row.name === name), first = rows[0];
            const section = document.getElementById(name);
            if (!section) {
                wrong(null, `${name} is in the run and not in the page`);
                continue;
            }
            const facts = new Map([...section.querySelectorAll("dl div")].map(
                fact => [fact.querySelector("dt").textContent, fact.querySelector("dd").textContent]));
            same(section, "fastest", facts.get("kernel, fastest") || "", first.ns.min / 1000);
            same(section, "median", facts.get("median") || "", first.ns.p50 / 1000);
            same(section, "commands", facts.get("commands") || "", first.apdus);
            const bytes = (facts.get("bytes there and back") || "").split("+");
            same(section, "bytes sent", bytes[0], first.bytesSent);
            same(section, "bytes received", (bytes[1] || "").trim(), first.bytesReceived);
            if (first.allocations !== null)
                same(section, "allocations", facts.get("allocations") || "", first.allocations);
            const histograms = [...section.querySelectorAll("[aria-label=histogram]")];
            if (histograms.length !== rows.length)
                wrong(section, `${histograms.length} histograms of ${rows.length} layers`);
            histograms.forEach((histogram, at) => {
                same(section, "left end", histogram.querySelector(".ends span").textContent, rows[at].ns.min / 1000);
                const ranks = histogram.querySelector(".ranks").textContent.split("·").map(
                    rank => rank.trim().replace(/^(half within|99\.9 %|99 %|90 %|slowest) /, ""));
                ["p50", "p90", "p99", "p999", "max"].forEach(
                    (rank, place) => same(section, rank, ranks[place] || "", rows[at].ns[rank] / 1000));
            });
            const line =
                [...document.querySelectorAll("#overview tbody tr")].find(row => row.cells[0].textContent === name);
            if (line)
                same(line, `${name} in the overview`, line.cells[4].textContent, first.ns.min / 1000);
            else if (names.length > 1)
                wrong(null, `${name} is not in the overview`);
        }
        for (const row of run.micro) {
            const line = [...document.querySelectorAll("#functions tbody tr")].find(
                line => line.cells[0].textContent === row.name);
            if (line)
                same(line, row.name, line.cells[1].textContent, row.ns);
            else
                wrong(null, `${row.name} is in the run and not in the page`);
        }
    }

    boxes();
    bars();
    const scenarios = sections();
    alone();
    figures();
    return { found, scenarios, compared };
})
