// SPDX-License-Identifier: Apache-2.0
// Words that somebody meant, although some letters of what was typed are wrong.

// How many letters may be wrong in a word of so many.
const faults = (length: number): number => (length < 4 ? 0 : length < 7 ? 1 : 2);

const hasDigit = /\d/;

// A bit for each letter, to see at once that two words have little in common.
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

// Edits (a letter more, less, another, or two in the wrong order) from `a` to `b`, as far as they are at most `most`.
function isNear(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const other = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + other);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, (before[j - 2] as number) + 1);
      row.push(edits);
      if (edits < least) least = edits;
    }
    if (least > most) return false;
    before = last;
    last = row;
  }
  return (last[b.length] as number) <= most;
}

// True if a word is the wanted one, or would begin so, but for some letters. Digits are never wrong: lamp 3 is not meant by lamp 4.
export function misspells(wanted: string): (word: string) => boolean {
  const most = hasDigit.test(wanted) ? 0 : faults(wanted.length);
  if (most === 0) return () => false;
  const letters = lettersOf(wanted);
  const known = new Map<string, boolean>();
  return (word) => {
    let like = known.get(word);
    if (like === undefined) {
      // Each edit adds or removes one of the letters at most; of a longer word only the beginning counts.
      like =
        word.length >= wanted.length - most &&
        countBits(letters & ~lettersOf(word)) <= most &&
        !hasDigit.test(word) &&
        (isNear(wanted, word, most) || (word.length > wanted.length && isNear(wanted, word.slice(0, wanted.length), most)));
      known.set(word, like);
    }
    return like;
  };
}
