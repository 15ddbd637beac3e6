// SPDX-License-Identifier: Apache-2.0
// Time zones by their names of today. Browsers still list some by older ones, and not every browser knows the new ones.

const renamed: Record<string, string> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

const before = new Map(Object.entries(renamed).map(([old, now]) => [now, old]));

export function zoneOfToday(zone: string): string {
  return renamed[zone] ?? zone;
}

const usable = new Map<string, string>();

// The name by which this browser knows a zone; UTC if it does not know it.
export function zoneForBrowser(zone: string): string {
  let known = usable.get(zone);
  if (known === undefined) {
    known = [zone, before.get(zone), "UTC"].find((name) => name !== undefined && isKnown(name)) ?? "UTC";
    usable.set(zone, known);
  }
  return known;
}

function isKnown(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

// The browser's own zone; empty if it does not say.
export function browsersZone(): string {
  return zoneOfToday(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "");
}

export interface Zone {
  id: string;
  // "Europe"; "UTC" for what lies nowhere.
  region: string;
  place: string;
  // "UTC+1", today.
  offset: string;
}

// All that the browser knows, by region and place; `first` names the region that comes first.
export function zones(first: string): Zone[] {
  const ids = new Set([...Intl.supportedValuesOf("timeZone").map(zoneOfToday), "UTC", first]);
  const regionOf = (id: string) => (id.includes("/") ? id.slice(0, id.indexOf("/")) : "UTC");
  const all = [...ids]
    .filter((id) => id === "UTC" || id.includes("/"))
    .map((id) => ({
      id,
      region: regionOf(id),
      place: id
        .slice(id.indexOf("/") + 1)
        .split("/")
        .reverse()
        .join(", ")
        .replaceAll("_", " "),
      offset: offsetOf(id),
    }));
  const rank = (zone: Zone) => (zone.region === regionOf(first) ? "" : zone.region);
  return all.sort((a, b) => rank(a).localeCompare(rank(b)) || a.place.localeCompare(b.place));
}

function offsetOf(id: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: zoneForBrowser(id), timeZoneName: "shortOffset" });
  const name = format.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name.replace("GMT", "UTC").replace("-", "−");
}
