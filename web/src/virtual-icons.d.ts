// SPDX-License-Identifier: Apache-2.0
declare module "virtual:icons" {
  const loaders: (() => Promise<{ default: Record<string, string> }>)[];
  export default loaders;
}
