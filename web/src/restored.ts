// SPDX-License-Identifier: Apache-2.0
// Tells an administrator, once on each device, that the home has been restored from a backup.
import type { Home } from "./api/home";
import type { Restored } from "./api/types";
import { notifyDone } from "./elements/notify";
import { formatDateTime, t } from "./i18n/catalogue";

const key = "hearth.restored";
const news = 24 * 3600 * 1000; // later it is in the settings only

export async function tellOfRestore(home: Home): Promise<void> {
  if (!home.user.is_admin) return;
  const last = await home.command<Restored | null>("hearth/last_restore").catch(() => null);
  if (!last || Date.now() - Date.parse(last.asked_at) > news || localStorage.getItem(key) === last.asked_at) return;
  localStorage.setItem(key, last.asked_at);
  notifyDone(restoredText(last, home.configuration.time_zone));
}

export function restoredText({ backup, created, asked_at, asked_by, before }: Restored, zone: string): string {
  const values = {
    backup: backup.replace(/\.tar\.zst(\.enc)?$/, ""),
    created: formatDateTime(new Date(created), zone),
    time: formatDateTime(new Date(asked_at), zone),
    before,
  };
  return asked_by ? t("backups.restoredBy", { ...values, user: asked_by }) : t("backups.restoredFirst", values);
}
