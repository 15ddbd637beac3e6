// SPDX-License-Identifier: Apache-2.0
// Offers to take back what somebody has just done here. Loaded with the first call of a service.
import type { Asked, Home, Unsubscribe } from "../api/home";
import type { Entity } from "../api/types";
import { act } from "../cards/act";
import { loaded } from "../elements/loaded";
import { notifyDone, offerUndo } from "../elements/notify";
import { loadWords, t } from "../i18n/catalogue";
import { isTyping } from "./keys";
import { callsOf, follow, movedBy, type Moved } from "./offer";
import { textOf } from "./words";

interface Offer {
  home: Home;
  // One, or all of a batch.
  asked: Asked[];
  // Calls of the same kind for the same entities are taken back together: those of one slider.
  key: string;
  moved: Moved[];
  stop: Unsubscribe;
  // Takes its notice away; undefined before it is shown.
  withdraw: (() => void) | undefined;
}

// The latest last.
let offers: Offer[] = [];
// The contexts of the last calls of this page.
const contexts: string[] = [];
const mostContexts = 200;

const isOurs = ({ context }: Entity): boolean =>
  contexts.includes(context.id) || (context.parent_id !== null && contexts.includes(context.parent_id));

function drop(offer: Offer): void {
  offers = offers.filter((other) => other !== offer);
  offer.stop();
  offer.withdraw?.();
}

// Of what is moved anew, the earlier state is no longer what somebody wants back.
function forget(ids: Set<string>, batch: Offer | undefined): void {
  for (const offer of offers.filter((one) => one !== batch)) {
    const left = offer.moved.filter(({ before }) => !ids.has(before.entity_id));
    if (left.length === offer.moved.length) continue;
    if (left.length === 0) drop(offer);
    else offer.moved = left;
  }
}

// The latest change is taken back first.
function add(offer: Offer, asked: Asked, moved: Moved[]): void {
  const stops = [offer.stop, follow(offer.home, moved)];
  offer.asked = [...offer.asked, asked];
  offer.moved = [...moved, ...offer.moved];
  offer.stop = () => stops.forEach((stop) => stop());
}

// The hub has refused it.
function withdraw(offer: Offer, asked: Asked, moved: Moved[]): void {
  offer.asked = offer.asked.filter((one) => one !== asked);
  offer.moved = offer.moved.filter((one) => !moved.includes(one));
  if (offer.moved.length === 0) drop(offer);
}

const keyOf = ({ domain, service, data, target }: Asked): string => JSON.stringify([domain, service, Object.keys(data).sort(), target]);

// For Home.onCall.
export async function note(home: Home, asked: Asked): Promise<void> {
  const key = keyOf(asked);
  const earlier = asked.takesBack || asked.batch ? undefined : offers.find((offer) => offer.home === home && offer.key === key);
  const first = earlier && new Map(earlier.moved.map(({ before }) => [before.entity_id, before]));
  const moved = asked.takesBack ? [] : movedBy(home, asked, first);
  const batch = asked.batch && offers.find((one) => one.asked.some((other) => other.batch === asked.batch));
  forget(new Set([...movedBy(home, asked), ...moved].map(({ before }) => before.entity_id)), batch);
  if (earlier && earlier !== batch) drop(earlier);
  const offer = batch ?? { home, asked: [], key, moved: [], stop: () => undefined, withdraw: undefined };
  if (!batch && moved.length > 0) offers.push(offer);
  add(offer, asked, moved);
  try {
    contexts.push((await asked.done).id);
  } catch {
    return withdraw(offer, asked, moved); // whoever called says why
  }
  if (contexts.length > mostContexts) contexts.shift();
  if (batch || !offers.includes(offer)) return;
  await asked.batch;
  await loaded(() => loadWords("dialogs"));
  if (!offers.includes(offer)) return;
  offer.withdraw = offerUndo(
    textOf(home, offer.asked, offer.moved),
    () => void takeBack(offer),
    () => drop(offer),
  );
}

async function takeBack(offer: Offer): Promise<void> {
  const { home, moved } = offer;
  drop(offer);
  const foreign = moved.filter((one) => one.isForeign(isOurs));
  const own = moved.filter((one) => !foreign.includes(one));
  const names = (some: Moved[]) => [...new Set(some.map(({ before }) => home.nameOf(before.entity_id)))].join(", ");
  if (own.length === 0) {
    notifyDone(t(foreign.length > 1 ? "undo.elsewhereMany" : "undo.elsewhere", { name: names(foreign), names: names(foreign) }));
    return;
  }
  if (!(await act(home, callsOf(own), { takesBack: true }))) return;
  notifyDone(foreign.length > 0 ? t("undo.elsewherePartly", { names: names(foreign) }) : t("undo.done", { name: names(own) }));
}

// Ctrl+Z takes back the latest that is still offered, unless somebody edits a text.
function onKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  const latest = offers.filter(({ withdraw }) => withdraw).at(-1);
  if (!latest || event.defaultPrevented || isTyping()) return;
  event.preventDefault();
  void takeBack(latest);
}

document.addEventListener("keydown", onKey);
