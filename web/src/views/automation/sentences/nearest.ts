// SPDX-License-Identifier: Apache-2.0
// Words as they may have been meant: one letter too many, missing, another one, or two in the wrong order.

// All words of texts without case and accents.
export function vocabulary(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)));
}

// Shorter words have too many neighbours.
const shortest = 4;

// The word itself if it is known, or one that is a slip of the finger away, also as the beginning of a longer one.
export function nearest(word: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(word)) return word;
  if (word.length < shortest) return undefined;
  let begins: string | undefined;
  for (const each of known) {
    if (isOneSlip(word, each)) return each;
    if (begins === undefined && each.length > word.length + 1 && isOneSlip(word, each.slice(0, word.length))) begins = each;
  }
  return begins;
}

function isOneSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, others] = [one.slice(start), other.slice(start)];
  if (rest.slice(1) === others.slice(1) || rest.slice(1) === others || rest === others.slice(1)) return true;
  return rest[0] === others[1] && rest[1] === others[0] && rest.slice(2) === others.slice(2);
}
