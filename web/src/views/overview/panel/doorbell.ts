// SPDX-License-Identifier: Apache-2.0
// Doorbells, and which picture shows who is at the door.
import type { Home, Unsubscribe } from "../../../api/home";
import type { Entity } from "../../../api/types";
import { textIn } from "../../../cards/attributes";
import { plain } from "../../../elements/fields/finder";

const named = /door ?bell|klingel|\bring(s|ing)?\b/;
const isThere = (state: string) => state !== "unavailable" && state !== "unknown";

export function isDoorbell(home: Home, { entity_id, attributes }: Entity): boolean {
  if (entity_id.startsWith("event.")) return attributes.device_class === "doorbell";
  if (!entity_id.startsWith("binary_sensor.")) return false;
  return named.test(plain(`${home.nameOf(entity_id)} ${entity_id.replaceAll("_", " ")}`));
}

// True if it has rung between two of its states.
export function hasRung(before: string | undefined, { entity_id, state }: Entity): boolean {
  if (before === undefined || before === "unavailable" || state === before || !isThere(state)) return false;
  return entity_id.startsWith("event.") || (state === "on" && before === "off");
}

function isPicture({ entity_id, state, attributes }: Entity): boolean {
  return /^(camera|image)\./.test(entity_id) && state !== "unavailable" && textIn({ attributes } as Entity, "entity_picture") !== "";
}

// A camera of the bell's device, else of its area; a picture that the bell took, if there is none.
export function pictureFor(home: Home, bell: string): string | undefined {
  const pictures = [...home.entities.values()].filter(isPicture).map(({ entity_id }) => entity_id);
  const device = home.registry.get(bell)?.device_id;
  const area = home.areaOf(bell)?.area_id;
  const ofDevice = pictures.filter((id) => device && home.registry.get(id)?.device_id === device);
  const ofArea = pictures.filter((id) => area !== undefined && home.areaOf(id)?.area_id === area);
  const isCamera = (id: string) => id.startsWith("camera.");
  return [...ofDevice.filter(isCamera), ...ofArea.filter(isCamera), ...ofDevice, ...ofArea][0];
}

// Tells `ring` of each bell that rings. What happened while the connection was lost is long ago, and is not told.
export class Doorbells {
  private states = new Map<string, string>();
  private readonly stops: Unsubscribe[];
  private isFresh = false;

  constructor(
    private readonly home: Home,
    private readonly ring: (id: string) => void,
  ) {
    this.read();
    this.stops = [
      home.on("connection", () => (this.isFresh ||= home.connectionState === "lost")),
      home.on("structure", () => this.read()),
      home.on("any", () => this.look()),
    ];
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private read(): void {
    const bells = [...this.home.entities.values()].filter((entity) => isDoorbell(this.home, entity));
    this.states = new Map(bells.map(({ entity_id, state }) => [entity_id, this.states.get(entity_id) ?? state]));
  }

  private look(): void {
    for (const [id, before] of this.states) {
      const entity = this.home.entity(id);
      if (!entity || entity.state === before) continue;
      this.states.set(id, entity.state);
      if (!this.isFresh && hasRung(before, entity)) this.ring(id);
    }
    // The first changes after a reconnection are all that there is.
    this.isFresh = false;
  }
}
