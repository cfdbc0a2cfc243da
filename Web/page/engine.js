// SPDX-License-Identifier: Apache-2.0
// Runs the kernel's module: in a Worker, so that the page stays alive, or in the page where a browser allows none to a
// file. Each call gets a fresh instance: nothing of a card outlives its answer. Calls go one after the other; one that
// nobody waits for any more, or that takes too long, ends with its Worker, and the next call makes a new one. Calls: see
// the article "A page of your own". Knows nothing of what is shown.
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
        const { packed, request } = event.data;
        queue = queue.then(async () => {
            try {
                postMessage({ answer: packed === undefined ? await host.call(request) : await host.open(packed) });
            } catch (problem) {
                const trapped = problem instanceof WebAssembly.RuntimeError;
                postMessage({ stopped: String(problem && problem.message || problem), trapped });
            }
        });
    };
}

const engine = {
    // The module as the page holds it, and the address of the Worker's program.
    packed: "",
    address: null,
    worker: null,
    // A Worker has run.
    works: false,
    // Where there is no Worker: the module in the page.
    host: null,
    // Resolves when the module is compiled; `null`: nothing has begun.
    ready: null,
    // Who waits for the Worker's next message.
    wait: null,
    // Calls that wait, and the one that runs: `{ request, group, resolve }`.
    queue: [],
    current: null,
    running: 0,
    // A call that takes longer is given up.
    limit: 60_000,

    // Unpacks and compiles the module; calls wait for it.
    start() {
        engine.packed = byId("module").textContent;
        byId("module").remove();
        engine.open().catch(() => {});
    },

    open() {
        if (!engine.ready) {
            const ready = engine.ready = engine.compile();
            ready.catch(() => {
                if (engine.ready === ready) engine.ready = null;
            });
        }
        return engine.ready;
    },

    async compile() {
        if (!engine.host) {
            try {
                engine.makeWorker();
                await engine.post({ packed: engine.packed });
                engine.works = true;
                return;
            } catch (problem) {
                // A Worker that has never run: everything goes to the page itself.
                if (engine.works || problem.stopped || problem.cancelled) throw problem;
            }
            engine.worker = null;
            engine.host = engineHost();
        }
        await engine.host.open(engine.packed);
    },

    makeWorker() {
        if (!engine.address) {
            const text = `"use strict";(${engineWorker})((${engineHost})());`;
            const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
            // A policy of this name can be made once.
            const policy =
                window.trustedTypes ? trustedTypes.createPolicy("emv", { createScriptURL: () => url }) : null;
            engine.address = policy ? policy.createScriptURL("") : url;
        }
        engine.worker = new Worker(engine.address);
        engine.worker.onmessage = event => {
            const { answer, stopped, trapped } = event.data, wait = engine.wait;
            engine.wait = null;
            if (stopped === undefined)
                wait?.resolve(answer);
            else
                wait?.reject(Object.assign(new Error(stopped), { stopped: true, trapped }));
        };
        engine.worker.onerror = event => {
            event.preventDefault();
            engine.end(new Error(event.message || "its Worker ended"));
        };
    },

    post(message) {
        return new Promise((resolve, reject) => {
            engine.wait = { resolve, reject };
            engine.worker.postMessage(message);
        });
    },

    // Ends the Worker and what it does; the next call makes a new one.
    end(problem) {
        const wait = engine.wait;
        engine.wait = null;
        engine.worker?.terminate();
        engine.worker = null;
        if (!engine.host) engine.ready = null;
        wait?.reject(problem);
    },

    // Nobody waits any more for calls of this group.
    cancel(group) {
        const cancelled = { error: "stopped", cancelled: true };
        for (const one of engine.queue.filter(one => one.group === group)) one.resolve(cancelled);
        engine.queue = engine.queue.filter(one => one.group !== group);
        if (engine.current?.group === group) engine.end(Object.assign(new Error("stopped"), { cancelled: true }));
    },

    // The answer to a request; one that says `error` where there is none, whatever happened. `group`: for `cancel`.
    async call(request, group = null) {
        const bar = setTimeout(() => {
            byId("progress").hidden = false;
            say("Working");
        }, 100);
        engine.running += 1;
        try {
            return await new Promise(resolve => {
                engine.queue.push({ request, group, resolve });
                engine.next();
            });
        } finally {
            clearTimeout(bar);
            engine.running -= 1;
            if (engine.running === 0) {
                byId("progress").hidden = true;
                if (byId("status").textContent === "Working") say("");
            }
        }
    },

    async next() {
        if (engine.current || !engine.queue.length) return;
        const one = engine.current = engine.queue.shift();
        const answer = await engine.answer(one.request);
        engine.current = null;
        one.resolve(answer);
        engine.next();
    },

    async answer(request) {
        const late = setTimeout(() => engine.end(new Error(`nothing within ${engine.limit / 1000} s`)), engine.limit);
        let opened = false;
        try {
            await engine.open();
            opened = true;
            return await (engine.host ? engine.host.call(request) : engine.post({ request }));
        } catch (problem) {
            const { message, cancelled } = problem;
            const trapped = problem.trapped || problem instanceof WebAssembly.RuntimeError;
            if (!opened && !cancelled) {
                const expected = "expected a browser with WebAssembly and DecompressionStream";
                return { error: `the kernel's module does not start (${message}); ${expected}` };
            }
            const why = trapped ? "stopped: this is more than it can hold, or a defect of it" : "gave no answer";
            return { error: `the kernel's module ${why} (${message}); expected less data`, cancelled };
        } finally { clearTimeout(late); }
    },
};
