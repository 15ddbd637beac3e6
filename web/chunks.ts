// SPDX-License-Identifier: Apache-2.0
// Joins the modules that the first view needs into few files: over a slow line each further one is another trip.
import { fileURLToPath } from "node:url";

import type { GetModuleInfo } from "rollup";

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

// A file is needed whenever its roots are; modules of an earlier file are not in a later one.
const roots: [file: string, modules: string[]][] = [
  ["start", ["main.ts"]],
  ["app", ["app.ts"]],
  ["home", ["shell.ts", "views/overview/overview.ts"]],
];

// For `manualChunks`: the file of a module; undefined if Rollup chooses.
export function chunkOf(): (id: string, about: { getModuleInfo: GetModuleInfo }) => string | undefined {
  let files: Map<string, string> | undefined;
  return (id, { getModuleInfo }) => {
    if (!files) {
      files = new Map();
      for (const [file, modules] of roots) for (const path of modules) place(files, source(path), file, getModuleInfo);
    }
    return files.get(id);
  };
}

// Places a module and all that it imports, except what it imports when it runs.
function place(files: Map<string, string>, id: string, file: string, getModuleInfo: GetModuleInfo): void {
  if (files.has(id)) return;
  files.set(id, file);
  const info = getModuleInfo(id);
  if (!info) throw new Error(`${id}: expected to be a module of the page`);
  for (const imported of info.importedIds) place(files, imported, file, getModuleInfo);
}
