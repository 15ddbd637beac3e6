// SPDX-License-Identifier: Apache-2.0
// As the file is called, in letters, digits, _ and -; with a number if another is called so.
export function freeName(file: string, taken: Set<string>): string {
  const plain = file
    .replace(/(\.tar|\.tar\.gz)$/i, "")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_")
    .slice(0, 60)
    .replace(/^_+|_+$/g, "");
  const first = plain || "backup";
  let name = first;
  for (let number = 2; taken.has(name); ++number) name = `${first}_${number}`;
  return name;
}
