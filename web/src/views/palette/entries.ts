// SPDX-License-Identifier: Apache-2.0
// The entries of the palette: the things of the home, its rooms, and the pages.
import { deviceName } from "../../api/devices";
import { orderedAreas } from "../../api/floors";
import type { Home } from "../../api/home";
import type { Device } from "../../api/types";
import { rankOf } from "../../cards/domains";
import { kindWordsOf } from "../../cards/found_by";
import { stateText } from "../../cards/state_text";
import { Finder, plain, ranks, sortKeyOf, wordsIn, type Findable, type Hit } from "../../elements/fields/finder";
import { t } from "../../i18n/catalogue";
import { settingsTabName, settingsTabs } from "../../i18n/settings_tabs";
import type { Page } from "../../router";

export type EntryKind = "thing" | "room" | "page" | "settings" | "device";

export interface Entry extends Findable {
  kind: EntryKind;
  // Where it stands among others that are equally good.
  order: number;
  entity?: string;
  // Where it leads; an entity opens its dialog.
  link?: string;
  // "mdi:sofa"
  icon?: string;
}

const ofRooms = -1;
const ofPages = 70;
const ofSettings = 71;
const ofDevices = 90;
// Settings of devices and their diagnoses come last.
const ofDiagnoses = 100;

export interface Places {
  base: string;
  pages: readonly Page[];
  // This hub is the portal of a fleet.
  isPortal: boolean;
}

function things(home: Home, base: string): Entry[] {
  const list: Entry[] = [];
  for (const id of home.entities.keys()) {
    const registered = home.registry.get(id);
    if (registered?.hidden_by || registered?.disabled_by) continue;
    const domain = id.slice(0, id.indexOf("."));
    const isWritten = domain === "automation" && home.user.is_admin;
    list.push({
      kind: "thing",
      id,
      entity: id,
      name: home.nameOf(id),
      words: [home.areaOf(id)?.name, kindWordsOf(home, id)].filter(Boolean).join(" "),
      order: rankOf(domain) + (registered?.entity_category ? ofDiagnoses : 0),
      ...(isWritten && { link: `${base}/settings/automations/${encodeURIComponent(id)}` }),
    });
  }
  return list;
}

function rooms(home: Home, base: string): Entry[] {
  return orderedAreas(home).map(({ area_id, name, icon, floor_id }) => ({
    kind: "room",
    id: `room:${area_id}`,
    name,
    words: home.floors.get(floor_id ?? "")?.name ?? "",
    order: ofRooms,
    link: `${base}/overview?area=${encodeURIComponent(area_id)}`,
    ...(icon && { icon }),
  }));
}

// Settings and what leads there are for administrators.
function places(home: Home, { base, pages, isPortal }: Places): Entry[] {
  const isAdmin = home.user.is_admin;
  const shown = pages.filter((page) => isAdmin || !(page.administratorsOnly || page.isTool));
  const tabs = isAdmin ? settingsTabs.filter((tab) => tab !== "sites" || isPortal) : [];
  // A device that is called as its only thing says nothing more.
  const names = new Set([...home.entities.keys()].map((id) => home.nameOf(id)));
  const isOther = (device: Device) => !device.disabled_by && !names.has(deviceName(device));
  const devices = isAdmin ? [...home.devices.values()].filter(isOther) : [];
  return [
    ...shown.map(
      (page): Entry => ({ kind: "page", id: `page:${page.name}`, name: t(`page.${page.name}`), order: ofPages, link: page.path }),
    ),
    { kind: "page", id: "page:panel", name: t("palette.panel"), order: ofPages, link: `${base}/overview?panel=` },
    ...tabs.map((tab): Entry => {
      const link = tab === "" ? `${base}/settings` : `${base}/settings/${tab}`;
      const words = tab === "import" ? `${t("page.settings")} ${t("welcome.fromHomeAssistant")}` : t("page.settings");
      return { kind: "settings", id: `settings:${tab}`, name: settingsTabName(tab), words, order: ofSettings, link };
    }),
    ...devices.map((device): Entry => {
      const words = [home.areas.get(device.area_id ?? "")?.name, device.manufacturer, device.model].filter(Boolean).join(" ");
      const link = `${base}/settings/devices/${encodeURIComponent(device.id)}`;
      return { kind: "device", id: `device:${device.id}`, name: deviceName(device), words, order: ofDevices, link };
    }),
  ];
}

const isSame = (one: Entry, other: Entry): boolean =>
  one.name === other.name && one.words === other.words && one.order === other.order && one.link === other.link && one.icon === other.icon;

// Is made once, and told when the home's structure has changed; then only what is new is read anew.
export class Entries {
  private byId = new Map<string, Entry>();
  private finder = new Finder<Entry>([]);
  // Of what is no number, by domain, class and state.
  private stateWords = new Map<string, string>();
  private ownWords = new WeakMap<Entry, string>();

  constructor(
    private readonly home: Home,
    private readonly places: Places,
  ) {
    this.update();
  }

  update(): void {
    const { home } = this;
    const { base } = this.places;
    const all = [...rooms(home, base), ...things(home, base), ...places(home, this.places)].map((entry) => {
      const former = this.byId.get(entry.id);
      return former && isSame(former, entry) ? former : entry;
    });
    const keys = new Map(all.map((entry) => [entry, entry.order === ofRooms ? "" : sortKeyOf(entry.name)]));
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    all.sort((a, b) => a.order - b.order || compare(keys.get(a) as string, keys.get(b) as string));
    this.byId = new Map(all.map((entry) => [entry.id, entry]));
    this.finder = new Finder(all, this.finder);
    this.stateWords.clear();
  }

  get(id: string): Entry | undefined {
    return this.byId.get(id);
  }

  // The rooms, then the pages: what people begin with.
  get first(): Entry[] {
    return [...this.byId.values()].filter(({ kind }) => kind === "room" || kind === "page");
  }

  find = (text: string): Hit<Entry>[] => this.finder.hits(text);

  similar = (text: string): Hit<Entry>[] => this.finder.similar(text);

  // Entries that have some of the words in their state: "windows open".
  findByState(text: string): Hit<Entry>[] {
    const words = wordsIn(text);
    const hits: Hit<Entry>[] = [];
    for (const entry of this.byId.values()) {
      const state = entry.entity && this.stateOf(entry.entity);
      if (!state) continue;
      let own = this.ownWords.get(entry);
      if (own === undefined) this.ownWords.set(entry, (own = ` ${plain(`${entry.name} ${entry.words ?? ""}`)}`));
      if (words.every((word) => (own as string).includes(` ${word}`) || state.includes(` ${word}`)))
        hits.push({ item: entry, rank: ranks.parts });
    }
    return hits;
  }

  private stateOf(id: string): string {
    const entity = this.home.entity(id);
    if (!entity || entity.attributes.unit_of_measurement !== undefined || entity.attributes.state_class !== undefined) return "";
    const key = `${id.slice(0, id.indexOf("."))} ${String(entity.attributes.device_class)} ${entity.state}`;
    let words = this.stateWords.get(key);
    if (words === undefined) this.stateWords.set(key, (words = ` ${plain(`${entity.state} ${stateText(this.home, entity)}`)}`));
    return words;
  }
}
