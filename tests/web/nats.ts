// SPDX-License-Identifier: Apache-2.0
// A real NATS server for one test, on a port of its own.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "@playwright/test";

import { freePort } from "./hub";

export class Nats {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  static async start(): Promise<Nats> {
    const folder = mkdtempSync(join(tmpdir(), "hearth-nats-"));
    const port = await freePort();
    const environment = { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin` };
    const options = ["-a", "127.0.0.1", "-p", String(port), "-js", "-sd", folder];
    const server = new Nats(folder, port, spawn("nats-server", options, { stdio: "ignore", env: environment }));
    await expect.poll(() => server.answers(), { timeout: 10_000 }).toBe(true);
    return server;
  }

  private answers(): Promise<boolean> {
    return new Promise((told) => {
      const socket = connect(this.port, "127.0.0.1");
      socket.once("connect", () => told(socket.destroy() === socket));
      socket.once("error", () => told(false));
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill();
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}
