// SPDX-License-Identifier: Apache-2.0
// The pieces of what a device tells, is asked and is told: its words, and what its type takes besides.
import { t, type Key } from "../../../../i18n/catalogue";
import { fieldPiece, optionText, serviceOf } from "../call_pieces";
import { isThere } from "../classify";
import { isConfig, type Config } from "../edit";
import type { Knowledge } from "../home_words";
import type { Piece, SentenceKind, Slot } from "../kinds";
import { deviceStep, keysOfMeaning, meaningOf } from "./device_forms";
import { choicesOf } from "./device_offers";
import { entityOf, isDevice, isStep } from "./device_words";

const keyIn = (piece: Piece) => Object.values(piece.slots)[0]?.key ?? "";

// The key of a step as the field of its service.
function stepPiece(know: Knowledge, config: Config, service: string, key: string, field: string): Piece {
  const call = { action: service, target: { entity_id: entityOf(know.home, config) } };
  const { offer, slots, ...rest } = fieldPiece(know, field, serviceOf(know, service)?.fields[field], config[key], call);
  const { data } = offer?.begin ?? {};
  const isNeeded = config.type === "flash" && key === "flash";
  return {
    ...rest,
    slots: { value: { ...(slots.value as Slot), key } },
    ...(offer &&
      !isNeeded && {
        offer: { label: offer.label, begin: { [key]: isConfig(data) ? data[field] : "" }, isThere: (config) => key in config },
      }),
  };
}

// Of what can be chosen, that of the entity.
function choicePiece(know: Knowledge, config: Config, { offer: _, ...piece }: Piece): Piece {
  const [name = "", slot] = Object.entries(piece.slots)[0] ?? [];
  const options = choicesOf(know, entityOf(know.home, config), name).map((value) => ({
    value,
    text: () => optionText(String(config.domain), name, value),
  }));
  return { ...piece, slots: { [name]: { ...(slot as Slot), options } } };
}

export function devicePieces(know: Knowledge, kind: SentenceKind, config: Config): Piece[] {
  const [said, ...others] = kind.pieces as [Piece, ...Piece[]];
  // A key that its type does not take can be left out.
  const there = (known: string[]) => others.filter((piece) => !known.includes(keyIn(piece)) && isThere(piece, config));
  if (isStep(config)) {
    const { service = "", keys = [] } = deviceStep(config) ?? {};
    return [said, ...keys.map(([key, field]) => stepPiece(know, config, service, key, field)), ...there(keys.map(([key]) => key))];
  }
  const meaning = meaningOf(config);
  const taken = meaning ? keysOfMeaning(config, meaning) : [];
  const pieces = others.filter((piece) => taken.includes(keyIn(piece)));
  if (config.trigger !== undefined) return [said, ...pieces, ...there(taken)];
  const isAlone = meaning !== undefined && meaning.part === undefined && isDevice(know, config);
  const words: Key = isAlone ? "sentence.condition.deviceItself" : "sentence.condition.device";
  return [
    { ...said, text: () => t(words) },
    ...pieces.map((piece) => (keyIn(piece) === meaning?.key ? choicePiece(know, config, piece) : piece)),
    ...there(taken),
  ];
}
