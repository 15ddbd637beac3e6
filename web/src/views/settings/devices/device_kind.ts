// SPDX-License-Identifier: Apache-2.0
import { maybeT } from "../../../i18n/catalogue";

// The kind of a device, as people say it: "Light", "Motion" for binary_sensor.motion.
export function kindText(kind: string): string {
  const [domain = "", is = ""] = kind.split(".");
  return (is && maybeT(`deviceKind.${is}`)) || maybeT(`domain.${domain}`) || is || maybeT(`deviceKind.${domain}`) || domain;
}
