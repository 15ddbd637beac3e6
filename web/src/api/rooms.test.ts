// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import germanTexts from "../i18n/languages/administration.de.json";
import englishTexts from "../i18n/languages/administration.en.json";
import { commonRooms, kindOfRoom, roomKinds, RoomGuesser, sameRoom } from "./rooms";

const english = ["Kitchen", "Living room", "Bedroom", "Bedroom 2", "Bathroom", "Hall", "Garden"];
const german = ["Küche", "Wohnzimmer", "Schlafzimmer", "Bad", "Flur", "Kinderzimmer Anna", "Gäste-WC"];

const guesserOf = (names: string[]) => new RoomGuesser(names.map((name) => ({ area_id: name, name })));

// The area's name, or the kind of a room that is not there.
function guessed(names: string[], device: string): string | undefined {
  const guess = guesserOf(names).guess(device);
  return typeof guess === "string" ? guess : guess && `+${guess.id}`;
}

test.each([
  [english, "Kitchen light", "Kitchen"],
  [english, "light_kitchen_2", "Kitchen"],
  [english, "kitchenLight", "Kitchen"],
  [english, "kitchenlight", "Kitchen"],
  [english, "Küchenlampe", "Kitchen"],
  [english, "Kuechenfenster links", "Kitchen"],
  [english, "LivingRoom TV", "Living room"],
  [english, "livingroom-motion", "Living room"],
  [english, "Wohnzimmer Stehlampe", "Living room"],
  [english, "Bedroom 2 heater", "Bedroom 2"],
  [english, "bedroom2/heater", "Bedroom 2"],
  [english, "Bedroom heater", "Bedroom"],
  [english, "Badlampe", "Bathroom"],
  [english, "Badge reader", undefined],
  [english, "Halloween lights", undefined],
  [english, "Hallway motion", "Hall"],
  [english, "0x00158d0001a2b3c4", undefined],
  [english, "Garage door", "+garage"],
  [english, "Büro Schreibtischlampe", "+office"],
  [english, "Kitchen to garden door", "Kitchen"],
  [german, "Kitchen light", "Küche"],
  [german, "Küchenlampe", "Küche"],
  [german, "KUECHE_fenster", "Küche"],
  [german, "Wohnzimmerfenster", "Wohnzimmer"],
  [german, "Bad Heizung", "Bad"],
  [german, "Badheizung", "Bad"],
  [german, "Bathroom fan", "Bad"],
  [german, "Kinderzimmer Anna Lampe", "Kinderzimmer Anna"],
  [german, "Gäste WC Licht", "Gäste-WC"],
  [german, "Flurlicht", "Flur"],
  [german, "Werkstatt", "+workshop"],
  [["Bath", "Bad"], "Bathroom fan", undefined], // which of the two, nobody can tell
  [["Bath", "Bad"], "Bad Licht", "Bad"],
  [["客厅", "🛁"], "客厅 lamp", "客厅"],
  [["客厅", "🛁"], "🛁 lamp", undefined],
  [[], "Kitchen light", "+kitchen"],
  [["<b>Kitchen</b>"], "<b>kitchen</b> lamp", "<b>Kitchen</b>"],
  [["مطبخ"], "مصباح مطبخ", "مطبخ"],
  [english, "", undefined],
  [english, `${"x".repeat(255)} kitchen`, undefined],
] as [string[], string, string | undefined][])("of the rooms %j the name %j means %j", (rooms, device, expected) => {
  expect(guessed(rooms, device)).toBe(expected);
});

test("many names are guessed among many rooms", () => {
  const guesser = guesserOf(Array.from({ length: 200 }, (_, at) => `Room ${at}`));
  for (let at = 0; at < 2_000; at += 1) expect(guesser.guess(`Room ${at % 200} lamp ${at}`)).toBe(`Room ${at % 200}`);
});

test("each kind of room is found by its own words, and has others than the rest", () => {
  const all = new Map<string, string>();
  for (const { id, words } of roomKinds) {
    for (const word of words) {
      expect(kindOfRoom(word)?.id).toBe(id);
      expect(all.has(word)).toBe(false);
      all.set(word, id);
    }
  }
  for (const id of commonRooms) expect(roomKinds.map((kind) => kind.id)).toContain(id);
});

test("a room that was made of a kind is known as one of that kind, in each language", () => {
  for (const { id } of roomKinds) {
    for (const texts of [englishTexts, germanTexts]) expect(kindOfRoom((texts as Record<string, string>)[`room.${id}`] ?? "")?.id).toBe(id);
  }
});

test("names of rooms are the same as the hub has it", () => {
  expect(sameRoom("Living room", "livingroom ")).toBe(true);
  expect(sameRoom("Küche", "Kitchen")).toBe(false);
});
