// SPDX-License-Identifier: Apache-2.0
declare module "virtual:icons" {
  // Names the content of all icons: part of their files' names.
  const edition: string;
  export default edition;
}

declare module "virtual:icons/names" {
  const names: string[];
  export default names;
}

declare module "virtual:icons/lazy" {
  export * from "@mdi/js";
}
