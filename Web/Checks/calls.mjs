// SPDX-License-Identifier: Apache-2.0
// The page's module in node: a request a line on standard input, an answer a line on standard output, each with an
// instance of its own. An instance that needs more than 64 MB, or that traps, ends the run with the request's number.
// Usage: node calls.mjs MODULE.wasm
import { readFileSync, writeSync } from "node:fs";
import { webcrypto } from "node:crypto";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const largest = 64 << 20;
let most = 0;

function answer(request) {
    let instance;
    const random = (address, size) => {
        const bytes = new Uint8Array(instance.exports.memory.buffer, address, size);
        for (let at = 0; at < size; at += 65536) webcrypto.getRandomValues(bytes.subarray(at, at + 65536));
    };
    instance = new WebAssembly.Instance(module, { page: { random } });
    const { memory, request: room, call, answer } = instance.exports;
    const address = room(request.length);
    new Uint8Array(memory.buffer, address, request.length).set(request);
    const size = call();
    most = Math.max(most, memory.buffer.byteLength);
    if (memory.buffer.byteLength > largest) throw new Error(`${memory.buffer.byteLength} bytes of memory`);
    return Buffer.from(new Uint8Array(memory.buffer, answer(), size));
}

function write(bytes) {
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const input = readFileSync(0);
let number = 0;
for (let begin = 0; begin < input.length; ) {
    const end = input.indexOf(10, begin);
    number += 1;
    try {
        write(Buffer.concat([answer(input.subarray(begin, end)), Buffer.from("\n")]));
    } catch (error) {
        console.error(`request ${number}: ${error.message}`);
        process.exit(1);
    }
    begin = end + 1;
}
console.error(`${number} requests, at most ${most >> 10} kB of memory`);
