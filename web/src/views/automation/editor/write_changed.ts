// SPDX-License-Identifier: Apache-2.0
import { readItem, type Item, type WrittenKind } from "../../../api/automations";
import { RestError } from "../../../api/errors";
import type { Home } from "../../../api/home";
import { readWritten, writeItem } from "../../../api/item_files";
import { isSameItem } from "../../../items/item_text";
import { modernItem } from "../sentences/modern";
import { rewritten } from "./rewritten";

export interface Former {
  entityId: string;
  // As the hub told it, with its own text.
  item: Item;
  text: string | undefined;
}

const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0;
const mask = /\*{8}/g;
const tags = /(^|[\s[{,])![a-z]/gm;

// Undefined if a part that stands elsewhere, such as a secret, would be written out.
function keptText({ item: before, text }: Former, after: Item): string | undefined {
  const made = text === undefined ? undefined : rewritten(text, before, after);
  return made !== undefined && countOf(made, mask) === countOf(text ?? "", mask) && countOf(made, tags) === countOf(text ?? "", tags)
    ? made
    : undefined;
}

// Writes what an item has become, or its new text: of its own text only what differs, as far as that can be told; otherwise the hub
// puts it into the file, key by key. Fails as `writeItem`.
export async function writeChanged(
  home: Home,
  kind: WrittenKind,
  id: string,
  former: Former,
  item: Item | string,
  tag: string,
): Promise<void> {
  const text = typeof item === "string" ? undefined : keptText(former, item);
  if (text === undefined || typeof item === "string") return writeItem(home, kind, id, item, tag);
  try {
    await writeItem(home, kind, id, text, tag);
  } catch (error) {
    if (!(error instanceof RestError) || error.status !== 400) throw error;
    return writeItem(home, kind, id, item, tag); // which says what is wrong in the words of the sentences
  }
  if (isSameItem(modernItem(await readItem(home, former.entityId)), modernItem(item))) return;
  await writeItem(home, kind, id, item, (await readWritten(home, kind, id)).tag);
}
