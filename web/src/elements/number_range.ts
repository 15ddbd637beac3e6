// SPDX-License-Identifier: Apache-2.0
import { t } from "../i18n/catalogue";

// What is said of what is no number within these limits.
export function outOfRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return t("form.range", { min, max });
  if (min !== undefined) return t("form.atLeast", { min });
  return max === undefined ? t("form.number") : t("form.atMost", { max });
}
