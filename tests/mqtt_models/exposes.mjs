// SPDX-License-Identifier: Apache-2.0
// What a device may report, by what Zigbee2MQTT says that it exposes: each property at its least and greatest value, at
// each word of a choice, and unknown.

const STATE = 1; // bits of `access`
export const SET = 2;
const GROUPS = ["light", "switch", "lock", "cover", "fan", "climate"]; // their features are properties of the device

function numbers({value_min: least, value_max: most, value_step: step}) {
    if (least === undefined && most === undefined) {
        return [0, 12.5, -5, 250];
    }
    const low = least ?? Math.min(0, most);
    const high = most ?? low + 100;
    const middle = low + Math.floor((high - low) / 2 / (step || 1)) * (step || 1);
    return [...new Set([low, high, Number(middle.toFixed(6))])];
}

function candidates(expose) {
    switch (expose.type) {
    case "binary":
        return [expose.value_on, expose.value_off];
    case "numeric":
        return numbers(expose);
    case "enum":
        return expose.values;
    case "text":
        return ["some text", 'Größe "3"', "0042"];
    case "list":
        return [[], candidates(expose.item_type).slice(0, 3)];
    case "composite":
        return composites(expose);
    default:
        return [];
    }
}

function composites({features}) {
    const all = features.map((feature) => [feature.property, candidates(feature)]).filter(([, values]) => values.length);
    const rounds = Math.max(0, ...all.map(([, values]) => values.length));
    return Array.from({length: rounds}, (_, round) =>
        Object.fromEntries(all.map(([property, values]) => [property, values[round % values.length]])));
}

// Every property that the device reports, with its candidates; those of a light's colour later, together.
function properties(exposes) {
    const found = new Map();
    const add = (expose) => {
        if (expose.access & STATE && expose.property && !["color_xy", "color_hs"].includes(expose.name)) {
            found.set(expose.property, spread(candidates(expose)));
        }
    };
    for (const expose of exposes) {
        if (GROUPS.includes(expose.type)) {
            expose.features.forEach(add);
        } else if (expose.property !== "linkquality") {
            add(expose);
        }
    }
    return found;
}

const COLORS = [
    {x: 0.7, y: 0.299, hue: 0, saturation: 100},
    {x: 0.17, y: 0.7, hue: 120, saturation: 100},
    {x: 0.3227, y: 0.329, hue: 30, saturation: 0},
];

// Zigbee2MQTT reports a colour both ways, and which of the modes the lamp is in.
function addColors(exposes, round, values) {
    for (const {type, features, endpoint} of exposes) {
        if (type !== "light") {
            continue;
        }
        const suffix = endpoint ? `_${endpoint}` : "";
        const names = features.map(({name}) => name);
        const modes = ["color_xy", "color_hs", "color_temp"].filter((name) => names.includes(name));
        if (modes.length === 0) {
            continue;
        }
        const mode = modes[round % modes.length];
        values[`color_mode${suffix}`] = mode === "color_xy" ? "xy" : mode === "color_hs" ? "hs" : "color_temp";
        if (modes[0] !== "color_temp") {
            values[`color${suffix}`] = {...COLORS[round % COLORS.length]};
        }
    }
}

// Of a device with an update: none, one, and one that is being installed.
const UPDATES = [
    {state: "idle", installed_version: 33554952, latest_version: 33554952},
    {state: "available", installed_version: 33554952, latest_version: 33554953},
    {state: "updating", installed_version: 33554952, latest_version: 33554953, progress: 12.5, remaining: 700},
];

const MOST = 48; // words of a choice that are tried: one device has 480

function spread(values) {
    const step = Math.max(1, values.length / MOST);
    return Array.from({length: Math.min(MOST, values.length)}, (_, index) => values[Math.floor(index * step)]);
}

// One object of values for each time that the device reports; first everything is unknown.
export function rounds(exposes, hasUpdate) {
    const all = properties(exposes);
    const count = Math.max(1, hasUpdate ? UPDATES.length : 0, ...[...all.values()].map((values) => values.length));
    const made = [{}];
    for (let round = 0; round < count; ++round) {
        const values = {};
        for (const [property, choices] of all) {
            if (choices.length) {
                values[property] = choices[round % choices.length];
            }
        }
        addColors(exposes, round, values);
        if (hasUpdate) {
            values.update = UPDATES[round % UPDATES.length];
        }
        made.push(values);
    }
    return made;
}
