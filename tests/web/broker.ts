// SPDX-License-Identifier: Apache-2.0
// A real mosquitto for one test, on a port of its own.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "@playwright/test";

import { freePort, type Hub } from "./hub";

export class Broker {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  // With `user` only who has that name and password may connect.
  static async start(user?: { name: string; password: string }): Promise<Broker> {
    const folder = mkdtempSync(join(tmpdir(), "hearth-mqtt-"));
    const port = await freePort();
    const configuration = join(folder, "mosquitto.conf");
    const passwords = join(folder, "passwords");
    const access = user ? `allow_anonymous false\npassword_file ${passwords}` : "allow_anonymous true";
    writeFileSync(configuration, `listener ${port} 127.0.0.1\n${access}\n`);
    if (user) {
      const made = spawnSync("mosquitto_passwd", ["-c", "-b", passwords, user.name, user.password], { encoding: "utf8" });
      if (made.status !== 0) throw new Error(`mosquitto_passwd: ${made.error?.message ?? made.stderr}`);
      chmodSync(folder, 0o755); // mosquitto, started by root, reads it as another user
      chmodSync(passwords, 0o644);
    }
    const environment = { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin` };
    const broker = new Broker(folder, port, spawn("mosquitto", ["-c", configuration], { stdio: "ignore", env: environment }));
    await expect.poll(() => broker.answers(), { timeout: 10_000 }).toBe(true);
    return broker;
  }

  private answers(): Promise<boolean> {
    return new Promise((told) => {
      const socket = connect(this.port, "127.0.0.1");
      socket.once("connect", () => told(socket.destroy() === socket));
      socket.once("error", () => told(false));
    });
  }

  stop(): void {
    this.process.kill();
    rmSync(this.folder, { recursive: true });
  }
}

// Lets the hub publish a message.
export function publish(hub: Hub, data: object): Promise<unknown> {
  return hub.rest("POST", "/api/services/mqtt/publish", data);
}
