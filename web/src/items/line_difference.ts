// SPDX-License-Identifier: Apache-2.0
// Differences between two texts, line by line.

export interface Line {
  kind: "same" | "added" | "removed" | "gap";
  // Of a gap: how many lines it stands for.
  text: string;
}

// Larger texts are shown as one that takes the place of the other.
const mostCells = 4_000_000;
// Lines around a change that are shown with it.
const context = 3;

export function lineDifference(before: string, after: string): Line[] {
  const old = linesOf(before);
  const now = linesOf(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const same = (text: string): Line => ({ kind: "same", text });
  return folded([
    ...old.slice(0, head).map(same),
    ...middle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ]);
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

// By a longest common subsequence.
function middle(old: string[], now: string[]): Line[] {
  const width = now.length + 1;
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  if (old.length * now.length <= mostCells) {
    const length = new Uint32Array((old.length + 1) * width);
    const at = (k: number, l: number) => length[k * width + l] as number;
    for (let k = old.length - 1; k >= 0; k--) {
      for (let l = now.length - 1; l >= 0; l--)
        length[k * width + l] = old[k] === now[l] ? at(k + 1, l + 1) + 1 : Math.max(at(k + 1, l), at(k, l + 1));
    }
    while (i < old.length && j < now.length) {
      if (old[i] === now[j]) {
        lines.push({ kind: "same", text: old[i++] as string });
        j++;
      } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ kind: "removed", text: old[i++] as string });
      else lines.push({ kind: "added", text: now[j++] as string });
    }
  }
  for (; i < old.length; i++) lines.push({ kind: "removed", text: old[i] as string });
  for (; j < now.length; j++) lines.push({ kind: "added", text: now[j] as string });
  return lines;
}

// Without what is far from every change.
function folded(lines: Line[]): Line[] {
  const shown = lines.map(() => false);
  lines.forEach(({ kind }, index) => {
    if (kind === "same") return;
    for (let near = Math.max(0, index - context); near <= Math.min(lines.length - 1, index + context); near++) shown[near] = true;
  });
  const found: Line[] = [];
  for (let index = 0; index < lines.length; ) {
    let end = index;
    while (end < lines.length && !shown[end]) end++;
    if (end > index + 1) found.push({ kind: "gap", text: String(end - index) });
    else if (end > index) found.push(lines[index] as Line);
    index = end;
    while (index < lines.length && shown[index]) found.push(lines[index++] as Line);
  }
  return found;
}
