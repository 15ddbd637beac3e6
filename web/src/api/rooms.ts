// SPDX-License-Identifier: Apache-2.0
// Rooms that many homes have: their icons, the words that names of devices have for them, and which room a device's name means.
import type { Area } from "./types";

export interface RoomKind {
  // Of its name in the catalogue: room.kitchen.
  id: string;
  icon: string;
  // Its words in names of devices, in English and German.
  words: string[];
}

// In the order in which they are offered.
export const roomKinds: readonly RoomKind[] = [
  { id: "kitchen", icon: "mdi:countertop", words: ["kitchen", "küche"] },
  { id: "living_room", icon: "mdi:sofa", words: ["living room", "lounge", "livingroom", "wohnzimmer", "wohnraum", "stube"] },
  { id: "dining_room", icon: "mdi:silverware-fork-knife", words: ["dining room", "esszimmer", "essbereich", "essecke"] },
  { id: "bedroom", icon: "mdi:bed", words: ["bedroom", "master bedroom", "schlafzimmer"] },
  { id: "childrens_room", icon: "mdi:teddy-bear", words: ["children's room", "kids room", "nursery", "kinderzimmer"] },
  { id: "bathroom", icon: "mdi:shower", words: ["bathroom", "bath", "badezimmer", "bad"] },
  { id: "toilet", icon: "mdi:toilet", words: ["toilet", "wc", "restroom", "guest toilet", "gäste wc", "toilette", "klo"] },
  { id: "hall", icon: "mdi:door", words: ["hall", "hallway", "corridor", "entrance", "entry", "flur", "diele", "eingang", "gang"] },
  { id: "stairs", icon: "mdi:stairs", words: ["stairs", "staircase", "stairway", "treppe", "treppenhaus"] },
  { id: "office", icon: "mdi:desk", words: ["office", "study", "büro", "arbeitszimmer", "homeoffice"] },
  { id: "guest_room", icon: "mdi:bed-outline", words: ["guest room", "gästezimmer"] },
  { id: "utility_room", icon: "mdi:washing-machine", words: ["utility room", "laundry", "hauswirtschaftsraum", "hwr", "waschküche"] },
  { id: "pantry", icon: "mdi:fridge-outline", words: ["pantry", "storage", "storeroom", "speisekammer", "abstellraum", "vorratsraum"] },
  { id: "cellar", icon: "mdi:home-floor-b", words: ["cellar", "basement", "keller"] },
  { id: "attic", icon: "mdi:home-roof", words: ["attic", "loft", "dachboden", "speicher"] },
  { id: "workshop", icon: "mdi:hammer-screwdriver", words: ["workshop", "hobby room", "werkstatt", "hobbyraum"] },
  { id: "garage", icon: "mdi:garage", words: ["garage", "carport"] },
  { id: "garden", icon: "mdi:flower", words: ["garden", "backyard", "yard", "lawn", "garten", "hof"] },
  { id: "terrace", icon: "mdi:table-furniture", words: ["terrace", "patio", "deck", "terrasse"] },
  { id: "balcony", icon: "mdi:balcony", words: ["balcony", "balkon"] },
];

// The rooms that are ticked when a home has none yet.
export const commonRooms = ["kitchen", "living_room", "bedroom", "bathroom", "hall"];

export interface FloorKind {
  // Of its name in the catalogue: floor.ground.
  id: string;
  level: number;
}

export const floorKinds: readonly FloorKind[] = [
  { id: "cellar", level: -1 },
  { id: "ground", level: 0 },
  { id: "first", level: 1 },
  { id: "attic", level: 2 },
];

// The end of a word that begins with the room's name: "Küchenlampe", "kitchenlight".
const things = [
  ...["lampe", "licht", "leuchte", "decke", "spiegel", "heizung", "heizkörper", "fenster", "tür", "tor", "rollo", "rollladen", "rolladen"],
  ...["jalousie", "markise", "vorhang", "schalter", "taster", "sensor", "melder", "bewegung", "thermostat", "steckdose", "stecker"],
  ...["lüfter", "ventilator", "lüftung", "ofen", "herd", "uhr", "radio", "fernseher", "kamera", "klima", "wand", "boden", "tisch"],
  ...["regal", "schrank", "spot", "strahler", "led", "stripe", "streifen", "wasser", "temperatur", "feuchte", "rauch", "kühl"],
  ...["pumpe", "bett", "sofa", "fühler", "ventil", "schloss", "klingel", "taste", "dimmer", "kontakt"],
  ...["light", "lamp", "switch", "motion", "door", "window", "plug", "socket", "heat", "fan", "blind", "shutter", "cover"],
  ...["camera", "speaker", "bulb", "button", "remote", "temp", "humidity", "leak", "smoke", "lock", "outlet", "contact"],
].map((word) => plain(word));
// The letters that German puts between the two.
const joints = ["", "n", "s", "en", "er", "es"];

// Without case, accents and what the two spellings of an umlaut differ in: "Küche", "Kueche" → "kuche".
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/([aou])e/g, "$1");
}

// "livingRoom_lamp2" → living, room, lamp, 2
function wordsOf(text: string): string[] {
  const apart = text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .replace(/['’]/g, "");
  return plain(apart).match(/[\p{L}\p{N}]+/gu) ?? [];
}

// True if the phrase begins with one of the words, and ends with one or before the name of a thing.
function isIn(words: string[], phrase: string): boolean {
  return words.some((_, from) => {
    if (!words.slice(from).join("").startsWith(phrase)) return false;
    let left = phrase.length;
    const last = words.slice(from).find((word) => (left -= word.length) <= 0) ?? "";
    const tail = last.slice(last.length + left);
    return tail === "" || joints.some((joint) => tail.startsWith(joint) && things.some((thing) => tail.startsWith(thing, joint.length)));
  });
}

// A name is as long as people wish, and a home has many: more of it is not looked at.
const mostLetters = 100;

interface Meaning<Of> {
  of: Of;
  phrase: string;
  // The room's own name counts more than other names of such rooms.
  isOwn: boolean;
}

// Guesses rooms from names of devices; it is made once for many.
export class RoomGuesser {
  private readonly areas: Meaning<string>[] = [];
  private readonly kinds: Meaning<RoomKind>[] = [];
  // The guesses made before, by name.
  private readonly guessed = new Map<string, string | RoomKind | undefined>();

  constructor(areas: Iterable<Pick<Area, "area_id" | "name">>) {
    const taken = new Set<RoomKind>();
    for (const { area_id, name } of areas) {
      const phrase = wordsOf(name).join("");
      if (phrase) this.areas.push({ of: area_id, phrase, isOwn: true });
      const kind = kindOfRoom(name);
      if (!kind) continue;
      taken.add(kind);
      for (const word of kind.words) this.areas.push({ of: area_id, phrase: wordsOf(word).join(""), isOwn: false });
    }
    for (const kind of roomKinds) {
      if (taken.has(kind)) continue;
      for (const word of kind.words) this.kinds.push({ of: kind, phrase: wordsOf(word).join(""), isOwn: false });
    }
  }

  // The id of the area that the name means; or a kind of room that the home does not have yet; undefined if it means none, or two.
  guess(name: string): string | RoomKind | undefined {
    const part = name.slice(0, mostLetters);
    if (this.guessed.has(part)) return this.guessed.get(part);
    const words = wordsOf(part);
    const guess = best(words, this.areas) ?? best(words, this.kinds);
    this.guessed.set(part, guess);
    return guess;
  }
}

function best<Of>(words: string[], meanings: Meaning<Of>[]): Of | undefined {
  const name = words.join("");
  let longest: Meaning<Of> | undefined;
  let isSure = true;
  for (const meaning of meanings) {
    if (!name.includes(meaning.phrase) || !isIn(words, meaning.phrase)) continue;
    const order = longest ? meaning.phrase.length - longest.phrase.length || Number(meaning.isOwn) - Number(longest.isOwn) : 1;
    if (order > 0) [longest, isSure] = [meaning, true];
    else if (order === 0 && longest && meaning.of !== longest.of) isSure = false;
  }
  return isSure ? longest?.of : undefined;
}

// The kind of a room of this name: "Küche" → kitchen.
export function kindOfRoom(name: string): RoomKind | undefined {
  const phrase = wordsOf(name).join("");
  return roomKinds.find(({ words }) => words.some((word) => wordsOf(word).join("") === phrase));
}

// True if two names of rooms are the same for the hub: it compares them without case and spaces.
export function sameRoom(one: string, other: string): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/\s+/g, "");
  return bare(one) === bare(other);
}
