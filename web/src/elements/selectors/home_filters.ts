// SPDX-License-Identifier: Apache-2.0
// Which entities, devices, areas and floors a selector takes.
import { deviceName } from "../../api/devices";
import { byLevel } from "../../api/floors";
import type { Home } from "../../api/home";
import type { Choice } from "../fields/picker";
import type { Options } from "./selector";

type Filtered = Pick<Home, "entities" | "registry" | "devices" | "areas" | "floors" | "nameOf" | "areaOf">;

interface Filter {
  domain?: unknown;
  device_class?: unknown;
  integration?: unknown;
  manufacturer?: unknown;
  model?: unknown;
  model_id?: unknown;
}

// One or a list of them; none if it is not named.
function listOf<T>(value: T | T[] | undefined | null): T[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

// Of `filter`, and what older selectors have beside it.
function filtersOf({ filter, domain, device_class, integration, manufacturer, model }: Options): Filter[] {
  const old = Object.fromEntries(
    Object.entries({ domain, device_class, integration, manufacturer, model }).filter(([, value]) => value !== undefined),
  );
  const named = listOf(filter as Filter | Filter[] | undefined);
  return named.length > 0 ? named : Object.keys(old).length > 0 ? [old] : [];
}

function isOne(wanted: unknown, value: unknown): boolean {
  const list = listOf(wanted);
  return list.length === 0 || list.includes(value);
}

function takesEntity(home: Filtered, filters: Filter[], id: string): boolean {
  return (
    filters.length === 0 ||
    filters.some(
      ({ domain, device_class, integration }) =>
        isOne(domain, id.slice(0, id.indexOf("."))) &&
        isOne(device_class, home.entities.get(id)?.attributes.device_class) &&
        isOne(integration, home.registry.get(id)?.platform),
    )
  );
}

const collator = new Intl.Collator(undefined, { numeric: true });
const byName = (a: Choice, b: Choice) => collator.compare(a.name, b.name);

export function entityChoices(home: Filtered, options: Options): Choice[] {
  const filters = filtersOf(options);
  const [included, excluded] = [listOf(options.include_entities as string[]), listOf(options.exclude_entities as string[])];
  const ids = [...home.entities.keys()].filter(
    (id) => (included.length === 0 || included.includes(id)) && !excluded.includes(id) && takesEntity(home, filters, id),
  );
  return ids.map((id) => ({ id, name: home.nameOf(id), note: [home.areaOf(id)?.name, id].filter(Boolean).join(" · ") })).sort(byName);
}

// The devices with an entity that one of the filters of `entity` takes.
function withEntities(home: Filtered, entity: unknown): Set<string> | undefined {
  const filters = listOf(entity as Filter | Filter[] | undefined);
  if (filters.length === 0) return undefined;
  const devices = new Set<string>();
  for (const { entity_id, device_id } of home.registry.values())
    if (device_id && takesEntity(home, filters, entity_id)) devices.add(device_id);
  return devices;
}

function takenDevices(home: Filtered, options: Options): string[] {
  const filters = filtersOf(options);
  const having = withEntities(home, options.entity);
  const platforms = new Map<string, Set<string>>();
  for (const { device_id, platform } of home.registry.values()) {
    if (device_id) platforms.set(device_id, (platforms.get(device_id) ?? new Set()).add(platform));
  }
  return [...home.devices.values()].flatMap(({ id, manufacturer, model, model_id }) => {
    if (having && !having.has(id)) return [];
    const takes = ({ integration, ...filter }: Filter) =>
      isOne(filter.manufacturer, manufacturer) &&
      isOne(filter.model, model) &&
      isOne(filter.model_id, model_id) &&
      (listOf(integration).length === 0 || listOf(integration).some((one) => platforms.get(id)?.has(String(one))));
    return filters.length === 0 || filters.some(takes) ? [id] : [];
  });
}

export function deviceChoices(home: Filtered, options: Options): Choice[] {
  return takenDevices(home, options)
    .flatMap((id) => {
      const device = home.devices.get(id);
      return device ? [{ id, name: deviceName(device), note: (device.area_id && home.areas.get(device.area_id)?.name) || id }] : [];
    })
    .sort(byName);
}

// The areas of what the filters take.
function takenAreas(home: Filtered, options: Options): Set<string> {
  const entities = listOf(options.entity as Filter | Filter[] | undefined);
  if (entities.length === 0 && options.device === undefined) return new Set(home.areas.keys());
  const areas = new Set<string>();
  if (entities.length > 0) {
    for (const id of home.entities.keys()) {
      const area = takesEntity(home, entities, id) ? home.areaOf(id) : undefined;
      if (area) areas.add(area.area_id);
    }
  }
  const devices = options.device === undefined ? [] : takenDevices(home, { filter: options.device });
  for (const id of devices) {
    const area = home.devices.get(id)?.area_id;
    if (area) areas.add(area);
  }
  return areas;
}

export function areaChoices(home: Filtered, options: Options): Choice[] {
  const areas = takenAreas(home, options);
  return [...home.areas.values()]
    .filter(({ area_id }) => areas.has(area_id))
    .map(({ area_id, name, floor_id }) => ({ id: area_id, name, note: (floor_id && home.floors.get(floor_id)?.name) || area_id }))
    .sort(byName);
}

export function floorChoices(home: Filtered, options: Options): Choice[] {
  const areas = takenAreas(home, options);
  const floors = new Set([...areas].map((area) => home.areas.get(area)?.floor_id));
  const all = options.entity === undefined && options.device === undefined;
  return [...home.floors.values()]
    .filter(({ floor_id }) => all || floors.has(floor_id))
    .sort(byLevel)
    .map(({ floor_id, name }) => ({ id: floor_id, name }));
}
