// SPDX-License-Identifier: Apache-2.0
// Writes assets/names.json, from which the hub tells other pages what ours call things and draw.
import { readFileSync, readdirSync } from "node:fs";

import type { Plugin } from "vite";

import { names } from "./src/names";

const languages = new URL("src/i18n/languages/", import.meta.url);

export function namesFile(): Plugin {
  const textsOf = (file: string): [string, Record<string, string>] => [
    file.slice(0, -".json".length),
    JSON.parse(readFileSync(new URL(file, languages), "utf8")) as Record<string, string>,
  ];
  return {
    name: "names-file",
    generateBundle() {
      const source = names(Object.fromEntries(readdirSync(languages).map(textsOf)));
      this.emitFile({ type: "asset", fileName: "assets/names.json", source });
    },
  };
}
