// SPDX-License-Identifier: Apache-2.0
// Lays the icons of @mdi/js into shelves, {"CoffeeMaker": "M2,21H20…", …}, each a file; `virtual:icons` exports their edition,
// `virtual:icons/names` the names that people pick from, `virtual:icons/lazy` the icons again: those that are imported from there
// are in the files of the pages that show them, and not in those of the first view, as all of one module are in one file.
import { createHash } from "node:crypto";

import * as mdi from "@mdi/js";
import type { Plugin } from "vite";

import { shelfOf, shelfPath, shelves } from "./src/elements/icon_shelf";

function fill(): string[] {
  const filled = Array.from({ length: shelves }, (): Record<string, string> => ({}));
  for (const [key, path] of Object.entries(mdi)) {
    const bare = key.slice("mdi".length);
    if (typeof path === "string") (filled[shelfOf(bare)] as Record<string, string>)[bare] = path;
  }
  return filled.map((shelf) => JSON.stringify(shelf));
}

function constants(): string {
  const icons = Object.entries(mdi).filter(([key, path]) => key.startsWith("mdi") && typeof path === "string");
  return icons.map(([key, path]) => `export const ${key} = ${JSON.stringify(path)};`).join("\n");
}

// The names that people pick from, coffee-maker. An icon with a number in a name of another kind is left out: @mdi/js does not say
// whether html5 has a hyphen.
function iconNames(): string[] {
  const numbered = /^(Battery|Brightness|Clock|Counter|Dice|Fan|Hours|Network|Numeric|Signal|Wifi)/;
  return Object.keys(mdi)
    .map((key) => key.slice("mdi".length))
    .filter((key) => !/\d/.test(key) || numbered.test(key))
    .map((key) => key.replace(/(?<=[a-zA-Z\d])(?=[A-Z])|(?<=[a-z])(?=\d)/g, "-").toLowerCase())
    .sort();
}

export function iconFiles(): Plugin {
  const name = "virtual:icons";
  const files = fill();
  // As long as the hashes in the names of other files: the hub knows by it that a file of this name stays as it is.
  const edition = createHash("sha256").update(files.join()).digest("base64url").slice(0, 8);
  return {
    name: "icon-files",
    resolveId: (id) => (id === name || id === `${name}/names` || id === `${name}/lazy` ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${name}`) return `export default ${JSON.stringify(edition)};`;
      if (id === `\0${name}/names`) return `export default ${JSON.stringify(iconNames())};`;
      if (id === `\0${name}/lazy`) return constants();
      return undefined;
    },
    generateBundle() {
      files.forEach((source, shelf) => this.emitFile({ type: "asset", fileName: shelfPath(shelf, edition), source }));
    },
    configureServer({ middlewares }) {
      middlewares.use("/assets", (request, response, next) => {
        const shelf = files.findIndex((_, index) => request.url === `/${shelfPath(index, edition).slice("assets/".length)}`);
        if (shelf < 0) return next();
        response.setHeader("Content-Type", "application/json").end(files[shelf]);
      });
    },
  };
}
