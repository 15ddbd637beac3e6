// SPDX-License-Identifier: Apache-2.0
// node generate.mjs FOLDER: writes there, as compressed JSON lines,
//
//   discovery.jsonl.gz  {model, topic, payload}: what Zigbee2MQTT publishes, retained, for each model that it knows
//   sample.jsonl.gz     {model, name, exposes, keys, rounds: [{values, messages: [{topic, payload}]}]}: of 300 models, what
//                       they can report and be told, and what Zigbee2MQTT publishes when they report `values`; first the
//                       model with the most shapes of descriptions, then the one that adds the most to those before it

import {mkdirSync, renameSync, writeFileSync} from "node:fs";
import path from "node:path";
import {gzipSync} from "node:zlib";

import {rounds} from "./exposes.mjs";
import {Zigbee2Mqtt} from "./zigbee2mqtt.mjs";

const SAMPLE = 300;

// Descriptions of the same shape have the same keys and, but for the properties' names, the same templates.
function shapes(messages) {
    return messages.map(({topic, payload}) => {
        const keys = Object.entries(JSON.parse(payload)).map(([key, value]) =>
            typeof value === "string" && key.endsWith("template") ? `${key}=${value.replace(/\["[^"]*"\]/g, "[]")}` : key);
        return `${topic.split("/")[1]} ${keys.join(" ")}`;
    });
}

// The models that together have the most shapes, in the order of what each adds, and then every n-th of the others.
function chooseSample(descriptions) {
    const left = descriptions.map((messages) => new Set(shapes(messages)));
    const chosen = new Set();
    while (chosen.size < SAMPLE) {
        const best = left.reduce((most, {size}, index) => (size > left[most].size ? index : most), 0);
        const fresh = left[best];
        if (fresh.size === 0) {
            break;
        }
        chosen.add(best);
        for (const others of left.filter((set) => set !== fresh && set.size)) {
            fresh.forEach((shape) => others.delete(shape));
        }
        fresh.clear();
    }
    const step = Math.floor(descriptions.length / SAMPLE);
    for (let index = 0; chosen.size < SAMPLE; index = (index + step) % descriptions.length) {
        while (chosen.has(index)) {
            ++index;
        }
        chosen.add(index);
    }
    return [...chosen];
}

function write(folder, name, lines) {
    const file = path.join(folder, name);
    writeFileSync(`${file}.new`, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {level: 3}));
    renameSync(`${file}.new`, file);
}

const folder = process.argv[2];
mkdirSync(folder, {recursive: true});
const home = await Zigbee2Mqtt.create();
const lines = (await home.describeBridge()).map((message) => ({model: "Zigbee2MQTT", ...message}));
const descriptions = [];
for (let index = 0; index < home.entities.length; ++index) {
    const messages = await home.describe(index);
    descriptions.push(messages);
    lines.push(...messages.map((message) => ({model: home.names[index], ...message})));
}
const sample = [];
for (const index of chooseSample(descriptions)) {
    const exposes = home.exposes(index);
    const reports = [];
    for (const values of rounds(exposes, Boolean(home.definitions[index].ota))) {
        reports.push({values, messages: await home.report(index, values)});
    }
    sample.push({model: home.names[index], name: home.entities[index].name, exposes, keys: home.commandKeys(index), rounds: reports});
}
write(folder, "sample.jsonl.gz", sample);
write(folder, "discovery.jsonl.gz", lines);
console.log(`${home.entities.length} models, ${lines.length} messages`);
