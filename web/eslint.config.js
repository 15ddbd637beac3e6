// SPDX-License-Identifier: Apache-2.0
// For the pages and their tests in a browser: `npm run lint`.
import lit from "eslint-plugin-lit";
import { defineConfig } from "eslint/config";
import { configs } from "typescript-eslint";

export default defineConfig(configs.recommended, lit.configs["flat/recommended"], {
  rules: {
    "@typescript-eslint/no-unused-vars": "off", // tsc finds them, and takes those that begin with _
  },
});
