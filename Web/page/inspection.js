// SPDX-License-Identifier: Apache-2.0
// What of a page breaks the rules for eyes: text of too little contrast, boxes that leave the page. Run by look.py in
// each view, width and colour scheme; no part of the page.
(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const parsed = new Map();
    // Of any notation of CSS: what a canvas paints with it.
    const colour = text => {
        if (!parsed.has(text)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = text;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            parsed.set(text, [r, g, b, a / 255]);
        }
        return parsed.get(text);
    };
    const over = (top, below) =>
        top[3] === 1 ? top : [0, 1, 2].map(at => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);
    const ground = element => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const layer = colour(getComputedStyle(at).backgroundColor);
            if (layer[3] > 0) layers.push(layer);
            if (layer[3] === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const light = ([r, g, b]) => [r, g, b]
                                     .map(part => part / 255)
                                     .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
                                     .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    const ratio = (a, b) => {
        const [x, y] = [light(a), light(b)].sort((one, other) => other - one);
        return (x + 0.05) / (y + 0.05);
    };
    const found = [], seen = element => element.checkVisibility() && element.getBoundingClientRect().width > 1;
    let least = 99, texts = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || /^(SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(element.tagName) || !seen(element))
            continue;
        if (element.closest(".spoken, .skip")) continue;
        const style = getComputedStyle(element), below = ground(element);
        const value = ratio(over(colour(style.color), below), below);
        texts += 1;
        least = Math.min(least, value);
        if (value < 4.5)
            found.push(`contrast ${value.toFixed(2)}: <${element.tagName.toLowerCase()} class="${element.className}">`);
    }
    for (const control of document.querySelectorAll("input[type=text], input[type=number], select, textarea")) {
        if (!seen(control)) continue;
        const own = getComputedStyle(control),
              box = control.closest(".paste") ? getComputedStyle(control.closest(".paste")) : own;
        const value = ratio(colour(own.color), colour(own.backgroundColor)),
              edge = ratio(colour(box.borderTopColor), ground(control.parentElement));
        least = Math.min(least, value);
        if (value < 4.5) found.push(`contrast ${value.toFixed(2)} in #${control.id}`);
        if (edge < 3) found.push(`edge of #${control.id}: ${edge.toFixed(2)}, expected 3`);
    }
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width)
        found.push(`the page is ${document.documentElement.scrollWidth} wide in ${width}`);
    for (const element of document.querySelectorAll("body *")) {
        if (!seen(element) || element.closest(".spoken, .skip, .progress, .scroll, svg, option")) continue;
        const box = element.getBoundingClientRect();
        if (box.left < -1 || box.right > width + 1)
            found.push(`<${element.tagName.toLowerCase()} class="${element.className}"> leaves the page: ${
                Math.round(box.left)} to ${Math.round(box.right)} of ${width}`);
        else if (element.clientWidth && element.scrollWidth > element.clientWidth + 1
            && !/^(SELECT|TEXTAREA|INPUT)$/.test(element.tagName) && getComputedStyle(element).overflowX === "visible")
            found.push(`<${element.tagName.toLowerCase()} class="${element.className}"> is too wide for its box: ${
                element.scrollWidth} in ${element.clientWidth}`);
    }
    return { found: [...new Set(found)].slice(0, 12), least, texts };
})();
