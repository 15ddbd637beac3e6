// SPDX-License-Identifier: Apache-2.0
// The icons of rows that are about a domain or a device class.
import { mdiDevices } from "virtual:icons/lazy";

import { domainOf } from "../../../cards/domains";
import { classes } from "../../../cards/icons";
import type { Source } from "./purpose_table";

// That of a device class says most.
export function iconOfSources(sources: Source[]): string {
  const classed = sources.map(({ domain, deviceClass }) => classes[domain]?.[deviceClass]).find((icon) => icon !== undefined);
  return classed === undefined ? iconOfDomain(sources[0]?.domain ?? "") : typeof classed === "string" ? classed : classed[1];
}

export function iconOfDomain(domain: string): string {
  const icon = domainOf(domain)?.icon ?? mdiDevices;
  return typeof icon === "string" ? icon : icon[1];
}
