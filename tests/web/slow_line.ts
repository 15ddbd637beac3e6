// SPDX-License-Identifier: Apache-2.0
// A line between pages and the hub, as slow as one wants. It knows how often the page had to wait for an answer before it could
// ask on: what depends on what is seen by the order alone, if a trip takes much longer than the page's own work. To open a connection
// is a trip, too.
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

import type { Hub } from "./hub";

interface Delivery {
  // Milliseconds since 1970.
  time: number;
  trip: number;
  bytes: number;
}

interface Speed {
  // Milliseconds to the hub and back. To open a connection takes as long.
  roundTrip: number;
  // Towards the page, of all connections together.
  bytesPerSecond?: number;
}

// Runs actions each at its time, in milliseconds since 1970, and never before an earlier one: timers may overtake each other.
function inOrder(): (time: number, action: () => void) => void {
  let last = Promise.resolve();
  return (time, action) => {
    last = last.then(() => new Promise((resume) => setTimeout(resume, time - Date.now()))).then(action);
  };
}

export class SlowLine {
  private readonly deliveries: Delivery[] = [];
  private readonly sockets = new Set<Socket>();
  private arrived = 0; // the highest trip of which something has arrived at the page
  private visit = 0;
  private busyUntil = 0;

  private constructor(
    private readonly hub: Hub,
    private readonly server: Server,
    private readonly speed: Speed,
  ) {}

  static async to(hub: Hub, speed: Speed): Promise<SlowLine> {
    const server = createServer();
    const line = new SlowLine(hub, server, speed);
    server.on("connection", (page) => line.join(page));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  // What had come until a time: the answers that each had to wait for the one before, and bytes.
  until(time: number): { trips: number; bytes: number } {
    const come = this.deliveries.filter((delivery) => delivery.time <= time);
    return {
      trips: Math.max(0, ...come.map(({ trip }) => trip)),
      bytes: come.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  // Forgets what was, and what is still on its way, for another visit.
  restart(): void {
    this.visit += 1;
    this.deliveries.length = 0;
    this.arrived = 0;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((closed) => this.server.close(closed));
  }

  private join(page: Socket): void {
    const hub = connect(this.hub.port, "127.0.0.1");
    const { roundTrip, bytesPerSecond = Infinity } = this.speed;
    const open = Date.now() + roundTrip;
    const opened = { visit: this.visit, trip: this.arrived + 1 };
    let asked = { visit: 0, trip: 0 }; // what the page has sent last
    const up = inOrder();
    const down = inOrder();
    page.on("data", (bytes) => {
      const known = opened.visit === this.visit ? Math.max(this.arrived, opened.trip) : this.arrived;
      asked = { visit: this.visit, trip: known + 1 };
      up(Math.max(open, Date.now()) + roundTrip / 2, () => hub.writable && hub.write(bytes));
    });
    hub.on("data", (bytes) => {
      const { visit, trip } = asked;
      this.busyUntil = Math.max(this.busyUntil, Date.now()) + (bytes.length * 1000) / bytesPerSecond;
      down(this.busyUntil + roundTrip / 2, () => {
        if (page.writable) page.write(bytes);
        if (visit !== this.visit) return;
        this.arrived = Math.max(this.arrived, trip);
        this.deliveries.push({ time: Date.now(), trip, bytes: bytes.length });
      });
    });
    for (const [one, other] of [
      [page, hub],
      [hub, page],
    ] as const) {
      this.sockets.add(one);
      one.setNoDelay();
      one.on("error", () => one.destroy());
      one.on("close", () => {
        this.sockets.delete(one);
        // What is still on its way arrives first.
        setTimeout(() => other.destroy(), roundTrip / 2 + Math.max(0, this.busyUntil - Date.now()) + 100);
      });
    }
  }
}
