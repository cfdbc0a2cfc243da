// SPDX-License-Identifier: Apache-2.0
// Runs the kernel's module: in a Worker, so that the page stays alive, or in the page where a browser allows none to a
// file. Each call gets a fresh instance: nothing of a card outlives its answer. Calls: see the article
// "A page of your own". Knows nothing of what is shown.
"use strict";

// Runs where the module runs; its text is the Worker's whole program, so it names nothing outside itself.
function engineHost() {
    let compiled = null;

    // Seven bits a character, as Web/page/assemble writes them.
    function bytesOf(text) {
        const bytes = new Uint8Array(Math.floor(text.length * 7 / 8));
        for (let place = 0, at = 0, held = 0, count = 0; place < text.length; place += 1) {
            held = (held << 7 | text.charCodeAt(place) & 0x7F) & 0x3FFF;
            count += 7;
            if (count < 8) continue;
            count -= 8;
            bytes[at++] = held >> count;
        }
        return bytes;
    }

    async function open(text) {
        const bytes = bytesOf(text);
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    }

    // The module's only import.
    const random = instance => (address, size) => {
        for (let at = 0; at < size; at += 65536)
            crypto.getRandomValues(
                new Uint8Array(instance().exports.memory.buffer, address + at, Math.min(65536, size - at)));
    };

    async function call(request) {
        let instance = null;
        instance = await WebAssembly.instantiate(compiled, { page: { random: random(() => instance) } });
        const { exports } = instance;
        const bytes = new TextEncoder().encode(JSON.stringify(request));
        const address = exports.request(bytes.length) >>> 0;
        new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
        const size = exports.call() >>> 0;
        const answer = new Uint8Array(exports.memory.buffer, exports.answer() >>> 0, size);
        return JSON.parse(new TextDecoder().decode(answer));
    }
    return { open, call };
}

// In the Worker: one message in, one out, in order.
function engineWorker(host) {
    let queue = Promise.resolve();
    onmessage = event => {
        const { id, packed, request } = event.data;
        queue = queue.then(async () => {
            try {
                postMessage({ id, answer: packed === undefined ? await host.call(request) : await host.open(packed) });
            } catch (problem) { postMessage({ id, stopped: String(problem && problem.message || problem) }); }
        });
    };
}

const engine = {
    waiting: new Map(),
    next: 1,
    worker: null,
    host: null,
    ready: null,

    // Unpacks and compiles the module once; calls wait for it.
    start() {
        const packed = byId("module").textContent;
        byId("module").remove();
        const failed = () => {
            // A Worker that never ran: everything goes to the page itself.
            engine.worker = null;
            for (const { reject } of engine.waiting.values()) reject(new Error("no Worker"));
            engine.waiting.clear();
        };
        try {
            const text = `"use strict";(${engineWorker})((${engineHost})());`;
            const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
            const policy =
                window.trustedTypes ? trustedTypes.createPolicy("emv", { createScriptURL: () => url }) : null;
            engine.worker = new Worker(policy ? policy.createScriptURL("") : url);
            engine.worker.onmessage = event => {
                const { id, answer, stopped } = event.data, wait = engine.waiting.get(id);
                engine.waiting.delete(id);
                if (!wait) return;
                if (stopped === undefined)
                    wait.resolve(answer);
                else
                    wait.reject(new Error(stopped));
            };
            engine.worker.onerror = failed;
        } catch { engine.worker = null; }
        engine.ready = engine.open(packed);
        engine.ready.catch(() => {});
    },

    async open(packed) {
        if (engine.worker) {
            try {
                return await engine.post({ packed });
            } catch (problem) {
                if (engine.worker) throw problem;
            }
        }
        engine.host = engineHost();
        return engine.host.open(packed);
    },

    post(message) {
        const id = engine.next++;
        return new Promise((resolve, reject) => {
            engine.waiting.set(id, { resolve, reject });
            engine.worker.postMessage({ id, ...message });
        });
    },

    // The answer to a request; one that says `error` where there is none, whatever happened.
    async call(request) {
        const bar = setTimeout(() => {
            byId("progress").hidden = false;
            say("Working");
        }, 100);
        engine.running = (engine.running || 0) + 1;
        try {
            await engine.ready;
            return await (engine.worker ? engine.post({ request }) : engine.host.call(request));
        } catch (problem) {
            const expected = "expected a browser with WebAssembly and DecompressionStream";
            return { error: `the kernel's module gave no answer (${problem.message}); ${expected}` };
        } finally {
            clearTimeout(bar);
            engine.running -= 1;
            if (engine.running === 0) byId("progress").hidden = true;
        }
    },
};
