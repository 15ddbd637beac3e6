// SPDX-License-Identifier: Apache-2.0
// The page names the files of the first view, so that they come together with the script that will ask for them.
import type { HtmlTagDescriptor, Plugin } from "vite";

// As chunks.ts calls them.
const files = ["app", "home"];

export function preloads(): Plugin {
  return {
    name: "preloads",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }): HtmlTagDescriptor[] => {
        if (!bundle) return []; // the development server's files are many
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        return files.map((name) => {
          const chunk = chunks.find((one) => one.name === name);
          if (!chunk) throw new Error(`${name}: expected to be a file of the page`);
          return { tag: "link", attrs: { rel: "modulepreload", crossorigin: true, href: `/${chunk.fileName}` }, injectTo: "head" };
        });
      },
    },
  };
}
