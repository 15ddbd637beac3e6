// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

import { appIcons } from "./app_icons";
import { chunkOf } from "./chunks";
import { iconFiles } from "./icon_files";
import { namesFile } from "./names_file";
import { preloads } from "./preloads";

// The hub that `npm run dev` talks to.
const hub = process.env.HEARTH_URL ?? "http://127.0.0.1:8123";

export default defineConfig({
  plugins: [iconFiles(), appIcons(), namesFile(), preloads()],
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
        chunkFileNames: "assets/[name]-[hash].js",
        manualChunks: chunkOf(),
      },
    },
  },
  server: {
    proxy: { "/api": { target: hub, ws: true }, "/auth": { target: hub } },
  },
});
