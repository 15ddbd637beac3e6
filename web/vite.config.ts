// SPDX-License-Identifier: Apache-2.0
import * as mdi from "@mdi/js";
import { defineConfig, type Plugin } from "vite";

import { shelfOf, shelves } from "./src/elements/icon_shelf";

// The hub that `npm run dev` talks to.
const hub = process.env.HEARTH_URL ?? "http://127.0.0.1:8123";

// `virtual:icons/7` exports the drawings of a shelf, {CoffeeMaker: "M2,21H20…", …}; `virtual:icons` what loads each.
function icons(): Plugin {
  const name = "virtual:icons";
  const byShelf = Array.from({ length: shelves }, (): Record<string, string> => ({}));
  for (const [key, path] of Object.entries(mdi)) {
    const bare = key.slice("mdi".length);
    if (typeof path === "string") (byShelf[shelfOf(bare)] as Record<string, string>)[bare] = path;
  }
  return {
    name: "icons",
    resolveId: (id) => (id.startsWith(name) ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${name}`) return `export default [${byShelf.map((_, shelf) => `() => import("${name}/${shelf}")`).join(", ")}];`;
      if (!id.startsWith(`\0${name}/`)) return undefined;
      return `export default ${JSON.stringify(byShelf[Number(id.slice(name.length + 2))])};`;
    },
  };
}

export default defineConfig({
  plugins: [icons()],
  build: {
    outDir: "../build/web",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would be `data:` addresses and inline scripts, which the hub's Content-Security-Policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rollupOptions: {
      output: {
        chunkFileNames: ({ name, moduleIds }) =>
          moduleIds.some((id) => id.startsWith("\0virtual:icons/")) ? "assets/icons-[hash].js" : `assets/${name}-[hash].js`,
      },
    },
  },
  server: {
    proxy: { "/api": { target: hub, ws: true }, "/auth": { target: hub } },
  },
});
