// SPDX-License-Identifier: Apache-2.0
// Where an invitation leads. Its text stands behind the #, which browsers do not send: it is in no log.
import type { HomeConfiguration } from "../../../api/types";

const ownMachine = /^https?:\/\/(localhost|127\.|\[::1\])/;

// By the address that others reach: the one of outside, if the home has one; else the one of this page, unless it is only this
// machine's.
export function linkTo(
  invitation: string,
  home: Pick<HomeConfiguration, "external_url" | "internal_url">,
  origin: string,
  base: string,
): string {
  const [inside, outside] = [home.internal_url ?? "", home.external_url ?? ""];
  const own = ownMachine.test(origin) && inside !== "" ? inside : origin;
  const address = outside !== "" && outside !== inside ? outside : own;
  return `${address.replace(/\/+$/, "")}${base}/invitation#${invitation}`;
}
