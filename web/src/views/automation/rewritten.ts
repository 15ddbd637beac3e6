// SPDX-License-Identifier: Apache-2.0
// The text of an item with another meaning: what stays keeps its comments, quotes and tags.
import { isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";

import type { Item } from "../../api/automations";
import { isSameItem, textOf } from "./item_text";
import { isConfig } from "./sentences/edit";

const older: Record<string, string[]> = {
  triggers: ["trigger"],
  conditions: ["condition"],
  actions: ["action"],
  action: ["service", "service_template"],
  trigger: ["platform"],
  event_data: ["event_data_template"],
};

export function rewritten(text: string, item: Item): string {
  const document = parseDocument(text, { compat: "yaml-1.1" });
  if (document.errors.length > 0 || !isMap(document.contents)) return textOf(item);
  document.contents = changed(document, document.contents, item) as typeof document.contents;
  return document.toString({ lineWidth: 0 });
}

function changed(document: Document, node: unknown, value: unknown): Node {
  if (isMap(node) && isConfig(value)) return changedMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return changedList(document, node, value);
  if (isNode(node) && isSameItem(node.toJS(document), value)) return node;
  // A list may have been written as its single item.
  if (isMap(node) && Array.isArray(value) && value.length === 1 && isConfig(value[0])) {
    const list = document.createNode([]) as YAMLSeq;
    list.items = [changedMap(document, node, value[0])];
    return list;
  }
  const made = document.createNode(value, { aliasDuplicateObjects: false });
  if (isScalar(node)) Object.assign(made, { comment: node.comment, commentBefore: node.commentBefore });
  return made;
}

function isNode(node: unknown): node is Node {
  return typeof node === "object" && node !== null && "toJS" in node;
}

function changedMap(document: Document, node: YAMLMap, value: Record<string, unknown>): Node {
  const nameOf = ({ key }: Pair) => String(isScalar(key) ? key.value : key);
  for (const key of Object.keys(value)) {
    if (node.has(key)) continue;
    const pair = (node.items as Pair[]).find((each) => older[key]?.includes(nameOf(each)) && !Object.hasOwn(value, nameOf(each)));
    if (pair && isScalar(pair.key)) pair.key.value = key;
  }
  node.items = (node.items as Pair[]).filter((pair) => Object.hasOwn(value, nameOf(pair)));
  for (const [key, part] of Object.entries(value)) {
    const pair = (node.items as Pair[]).find((each) => nameOf(each) === key);
    if (pair) pair.value = changed(document, pair.value, part);
    else node.items.push(document.createPair(key, part));
  }
  return node;
}

// Each value takes the item that means the same, or the one in its place.
function changedList(document: Document, node: YAMLSeq, value: unknown[]): Node {
  const before = node.items.map((item) => ({ item, value: isNode(item) ? (item.toJS(document) as unknown) : item }));
  const used = new Set<number>();
  const same = value.map((part, index) => {
    const isFree = (at: number) => at < before.length && !used.has(at) && isSameItem(before[at]?.value, part);
    const found = isFree(index) ? index : before.findIndex((_, at) => isFree(at));
    if (found >= 0) used.add(found);
    return found;
  });
  node.items = value.map((part, index) => {
    const found = same[index] ?? -1;
    if (found >= 0) return before[found]?.item;
    const here = before[index];
    if (!here || used.has(index)) return document.createNode(part, { aliasDuplicateObjects: false });
    used.add(index);
    return changed(document, here.item, part);
  });
  return node;
}
