// SPDX-License-Identifier: Apache-2.0
// What differs between two texts, line by line.
export interface Line {
  how: "same" | "added" | "removed";
  text: string;
}

// How many pairs of lines are compared at most; beyond that all that differs counts as replaced.
const most = 4_000_000;

export function lineChanges(before: string, after: string): Line[] {
  const [one, other] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const same = (lines: string[]) => lines.map((text): Line => ({ how: "same", text }));
  return [...same(one.slice(0, start)), ...middle(one.slice(start, one.length - end), other.slice(start, other.length - end)), ...same(one.slice(one.length - end))];
}

// By the longest common sequence.
function middle(one: string[], other: string[]): Line[] {
  const lines = (how: Line["how"], texts: string[]) => texts.map((text): Line => ({ how, text }));
  if (one.length * other.length > most) return [...lines("removed", one), ...lines("added", other)];
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) lengths[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const found: Line[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      found.push({ how: "same", text: one[i++] as string });
      j++;
    } else if (i < one.length && (j >= other.length || at(i + 1, j) >= at(i, j + 1))) found.push({ how: "removed", text: one[i++] as string });
    else found.push({ how: "added", text: other[j++] as string });
  }
  return found;
}

// Only the changes, each with so many lines around it; undefined stands for what is left out.
export function shortened(lines: Line[], around = 3): (Line | undefined)[] {
  const near = lines.map((_, index) => lines.slice(Math.max(0, index - around), index + around + 1).some(({ how }) => how !== "same"));
  const found: (Line | undefined)[] = [];
  for (const [index, line] of lines.entries()) {
    if (near[index]) found.push(line);
    else if (found.at(-1) !== undefined || found.length === 0) found.push(undefined);
  }
  return found;
}
