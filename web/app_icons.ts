// SPDX-License-Identifier: Apache-2.0
// Draws public/favicon.svg as pictures, for browsers and home screens that take no SVG.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { Resvg, initWasm } from "@resvg/resvg-wasm";
import type { Plugin } from "vite";

const background = "#b4430f"; // as in the drawing
const drawing = new URL("public/favicon.svg", import.meta.url);

interface Picture {
  name: string;
  pixels: number;
  // The visible part of the drawing, of which 0 0 48 48 is the whole. Without it the corners stay round and clear; with it they are filled.
  view?: string;
}

const pictures: Picture[] = [
  { name: "icon-192.png", pixels: 192 },
  { name: "icon-512.png", pixels: 512 },
  // A launcher may cut off all but a circle of 80 % (Web Application Manifest, "maskable").
  { name: "maskable-192.png", pixels: 192, view: "-6 -6 60 60" },
  { name: "maskable-512.png", pixels: 512, view: "-6 -6 60 60" },
  { name: "apple-touch-icon.png", pixels: 180, view: "-2 -2 52 52" },
];

function png(svg: string, { pixels, view }: Omit<Picture, "name">): Uint8Array {
  const seen = view ? svg.replace('viewBox="0 0 48 48"', `viewBox="${view}"`) : svg;
  if (view && seen === svg) throw new Error(`${drawing.pathname}: expected viewBox="0 0 48 48"`);
  return new Resvg(seen, { fitTo: { mode: "width", value: pixels }, ...(view && { background }) }).render().asPng();
}

// An .ico file with one picture, of up to 255 pixels.
function ico(picture: Uint8Array, pixels: number): Uint8Array {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon
  head.writeUInt16LE(1, 4); // of one picture
  head.writeUInt8(pixels, 6);
  head.writeUInt8(pixels, 7);
  head.writeUInt16LE(1, 10); // plane
  head.writeUInt16LE(32, 12); // bits a pixel
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, picture]);
}

export function appIcons(): Plugin {
  return {
    name: "app-icons",
    apply: "build",
    async generateBundle() {
      await initWasm(readFileSync(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")));
      const svg = readFileSync(drawing, "utf8");
      const emit = (fileName: string, source: Uint8Array) => this.emitFile({ type: "asset", fileName, source });
      for (const picture of pictures) emit(picture.name, png(svg, picture));
      emit("favicon.ico", ico(png(svg, { pixels: 48 }), 48));
    },
  };
}
