// SPDX-License-Identifier: Apache-2.0
// Zigbee2MQTT's own code, with a radio and a broker that are not there: its Home Assistant extension describes each model
// that its converters know, and publishes states as it does for a device that has reported.

import {mkdtempSync, readdirSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import path from "node:path";

const load = createRequire(import.meta.url);
const CONVERTERS = path.dirname(load.resolve("zigbee-herdsman-converters"));

// All that can be switched on: it makes more kinds of messages.
const SETTINGS = {
    advanced: {last_seen: "ISO_8601", log_level: "error", log_output: []},
    availability: {enabled: true},
    homeassistant: {enabled: true, experimental_event_entities: true},
    mqtt: {server: "mqtt://127.0.0.1"},
};

// Zigbee2MQTT tells an endpoint from a group by this name.
class Endpoint {
    meta = {};
    inputClusters = [];
    outputClusters = [];
    constructor(deviceIeeeAddress, ID) {
        Object.assign(this, {deviceIeeeAddress, ID});
    }
    supportsInputCluster() {
        return false;
    }
}

// What the converters take for a device of which they know nothing but the model.
class Radio {
    isDummyDevice = true;
    type = "Router";
    interviewState = "SUCCESSFUL";
    linkquality = 91;
    lastSeen = Date.UTC(2026, 0, 2, 3, 4, 5);
    endpoints = [];
    constructor(ieeeAddr, definition) {
        this.ieeeAddr = ieeeAddr;
        this.modelID = definition.zigbeeModel?.[0] ?? definition.fingerprint?.[0].modelID ?? definition.model;
        this.manufacturerName = definition.fingerprint?.[0].manufacturerName ?? definition.vendor;
        this.softwareBuildID = "1.0.0";
        const ids = Object.values(definition.endpoint?.(this) ?? {});
        for (const id of new Set([1, ...ids])) {
            this.endpoints.push(new Endpoint(ieeeAddr, id));
        }
    }
    getEndpoint(id) {
        return this.endpoints.find((endpoint) => endpoint.ID === id);
    }
}

// Each definition, and each other name under which the same hardware is sold, ordered by file and place.
export function knownModels() {
    const {prepareDefinition} = load("zigbee-herdsman-converters");
    const models = [];
    for (const file of readdirSync(path.join(CONVERTERS, "devices")).filter((name) => name.endsWith(".js")).sort()) {
        for (const source of load(path.join(CONVERTERS, "devices", file)).definitions ?? []) {
            const definition = prepareDefinition(source);
            models.push(definition);
            for (const label of definition.whiteLabel ?? []) {
                models.push({...definition, model: label.model, vendor: label.vendor ?? definition.vendor,
                             description: label.description ?? definition.description});
            }
        }
    }
    return models;
}

// Names as people give them, with blanks and slashes; unique, and allowed by Zigbee2MQTT.
function friendlyNames(models) {
    const counts = new Map();
    return models.map(({vendor, model}) => {
        const name = `${vendor}/${model}`.replace(/[#+\u0000-\u001f]/g, " ").replace(/\/(?=\d*$|\/)/g, " ").trim();
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        return count === 1 ? name : `${name} no ${count}`;
    });
}

export class Zigbee2Mqtt {
    published = []; // {topic, payload} since the last take()

    static async create() {
        const home = new Zigbee2Mqtt();
        home.definitions = knownModels();
        home.names = friendlyNames(home.definitions);
        home.addresses = home.definitions.map((_, index) => `0x00124b${index.toString(16).padStart(10, "0")}`);
        const folder = mkdtempSync(path.join(tmpdir(), "zigbee2mqtt-"));
        const devices = Object.fromEntries(home.addresses.map((address, index) => [address, {friendly_name: home.names[index]}]));
        writeFileSync(path.join(folder, "configuration.yaml"), JSON.stringify({...SETTINGS, devices})); // JSON is YAML, too
        process.env.ZIGBEE2MQTT_DATA = folder;
        try {
            await home.start();
        } finally {
            rmSync(folder, {recursive: true});
        }
        return home;
    }

    async start() {
        load("zigbee2mqtt/dist/util/settings").get();
        load("zigbee2mqtt/dist/util/logger").default.init();
        const Device = load("zigbee2mqtt/dist/model/device").default;
        this.entities = this.definitions.map((definition, index) => {
            const device = new Device(new Radio(this.addresses[index], definition));
            device.definition = definition;
            return device;
        });
        const byName = new Map(this.entities.map((entity) => [entity.name, entity]));
        const zigbee = {
            getCoordinatorVersion: async () => ({type: "zStack3x0", meta: {revision: 20250321}}),
            firstCoordinatorEndpoint: () => ({deviceIeeeAddress: "0x00124b00ffffffff"}),
            devicesIterator: () => [],
            groupsIterator: () => [],
            devicesAndGroupsIterator: () => [],
            resolveEntity: (name) => byName.get(name),
        };
        const mqtt = {
            subscribe: async () => {},
            unsubscribe: async () => {},
            publish: async (topic, payload, {baseTopic = "zigbee2mqtt"} = {}) => {
                this.published.push({topic: `${baseTopic}/${topic}`, payload});
            },
        };
        const EventBus = load("zigbee2mqtt/dist/eventBus").default;
        const {HomeAssistant} = load("zigbee2mqtt/dist/extension/homeassistant");
        this.extension = new HomeAssistant(zigbee, mqtt, {}, async () => {}, new EventBus(), async () => {}, async () => {}, async () => {});
        // start() would wait five seconds for messages of an earlier run; there was none.
        const {setTimeout: real} = globalThis;
        globalThis.setTimeout = () => undefined;
        try {
            await this.extension.start();
        } finally {
            globalThis.setTimeout = real;
        }
    }

    take() {
        const {published} = this;
        this.published = [];
        return published;
    }

    // What Zigbee2MQTT says of itself.
    async describeBridge() {
        await this.extension.discover(this.extension.bridge);
        return this.take();
    }

    async describe(index) {
        const device = this.entities[index];
        await this.extension.discover(device);
        for (const expose of this.exposes(index)) {
            if (expose.property === "action") {
                for (const value of expose.values ?? []) {
                    await this.extension.publishDeviceTriggerDiscover(device, "action", String(value));
                }
            }
        }
        return this.take();
    }

    // As plain JSON.
    exposes(index) {
        return JSON.parse(JSON.stringify(this.entities[index].exposes()));
    }

    // The keys that a command to the device may have, those of its converters; null if one takes any.
    commandKeys(index) {
        const {toZigbee} = this.definitions[index];
        return toZigbee.every(({key}) => key) ? [...new Set(toZigbee.flatMap(({key}) => key))] : null;
    }

    // Messages of the device when it has reported these values.
    async report(index, values) {
        const device = this.entities[index];
        const message = {...values, last_seen: new Date(device.zh.lastSeen).toISOString(), linkquality: device.zh.linkquality};
        this.extension.adjustMessageBeforePublish(device, message);
        await this.extension.mqtt.publish(device.name, JSON.stringify(message));
        await this.extension.onPublishEntityState({entity: device, message, payload: values});
        return this.take();
    }
}
