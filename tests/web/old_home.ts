// SPDX-License-Identifier: Apache-2.0
// Homes that Home Assistant itself has made (tests/moving), as a folder and as its backups.
import { spawnSync } from "node:child_process";
import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repository } from "./hub";

function run(program: string, ...arguments_: string[]): Buffer {
  const done = spawnSync(program, arguments_, { maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`${program} ${arguments_.join(" ")}: ${done.error?.message ?? done.stderr.toString()}`);
  return done.stdout;
}

interface Answers {
  passwords: Record<string, string>;
  areas: { name: string }[];
}

export class OldHome {
  // Is removed by end().
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-old-home-"));
  private readonly files: string;

  constructor(private readonly version = "2026.2.3") {
    this.files = join(repository, "tests/moving/homes", version);
    mkdirSync(this.config);
    run("tar", "-xf", join(this.files, "home.tar.xz"), "-C", this.config);
  }

  // The folder that has configuration.yaml in it.
  get config(): string {
    return join(this.folder, "config");
  }

  answers(): Answers {
    return JSON.parse(run("xz", "-dc", join(this.files, "answers.json.xz")).toString()) as Answers;
  }

  // As Home Assistant makes it; encrypted if there is a passphrase.
  backup(passphrase = ""): Buffer {
    const made = mkdtempSync(join(this.folder, "backup-"));
    const inner = run("tar", "-cz", "-C", this.config, "--transform", "s,^\\.,data,", ".");
    writeFileSync(join(made, "homeassistant.tar.gz"), passphrase ? sealed(inner, passphrase) : inner);
    const about = {
      slug: "5d0c1a2b",
      version: 2,
      name: "Automatic backup",
      date: "2026-11-20T04:45:00.000000+00:00",
      type: "partial",
      supervisor_version: "2026.01.0",
      crypto: passphrase ? "aes128" : null,
      protected: passphrase !== "",
      compressed: true,
      homeassistant: { version: this.version, exclude_database: false, size: 0.1 },
      folders: [],
      addons: [],
      repositories: [],
    };
    writeFileSync(join(made, "backup.json"), JSON.stringify(about));
    return run("tar", "-c", "-C", made, "./backup.json", "./homeassistant.tar.gz");
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function hashed(bytes: Buffer): Buffer {
  let digest = bytes;
  for (let round = 0; round < 100; ++round) digest = createHash("sha256").update(digest).digest();
  return digest.subarray(0, 16);
}

// Version 2 of its encrypted archives: a head with the size, the salt, then AES-128-CBC.
function sealed(plain: Buffer, passphrase: string): Buffer {
  const salt = randomBytes(16);
  const key = hashed(Buffer.from(passphrase));
  const head = Buffer.alloc(32);
  head.write("SecureTar\u0002", "latin1");
  head.writeBigUInt64BE(BigInt(plain.length), 16);
  const cipher = createCipheriv("aes-128-cbc", key, hashed(Buffer.concat([key, salt])));
  return Buffer.concat([head, salt, cipher.update(plain), cipher.final()]);
}

// A made one: so many entities on devices of forty integrations, in a hundred rooms, and accounts without passwords.
export function makeLargeHome(config: string, entities: number): void {
  const storage = join(config, ".storage");
  mkdirSync(storage, { recursive: true });
  const write = (key: string, data: object, minor_version = 1) =>
    writeFileSync(join(storage, key), JSON.stringify({ version: 1, minor_version, key, data }));
  const range = (count: number) => Array.from({ length: count }, (_, number) => number);
  const id = (number: number) => number.toString(16).padStart(32, "0");
  const platform = (device: number) => (device % 4 === 0 ? "mqtt" : `vendor_${device % 40}`);
  write("core.config", { location_name: "Large", latitude: 52.5, longitude: 13.4, elevation: 34, time_zone: "Europe/Berlin" }, 4);
  write(
    "core.area_registry",
    { areas: range(100).map((room) => ({ id: `room_${room}`, name: `Room ${room}`, aliases: [], labels: [] })) },
    6,
  );
  const devices = range(Math.ceil(entities / 4)).map((device) => ({
    id: id(device),
    identifiers: [[platform(device), `device${device}`]],
    connections: [],
    name: `Device with a long name that people give ${device}`,
    area_id: `room_${device % 100}`,
    labels: [],
  }));
  write("core.device_registry", { devices, deleted_devices: [] }, 5);
  const things = range(entities).map((number) => ({
    entity_id: `sensor.value_${number}`,
    id: id(10_000_000 + number),
    unique_id: `value${number}`,
    platform: platform(number >> 2),
    original_name: `Value ${number}`,
    device_id: id(number >> 2),
    labels: [],
    aliases: [],
    categories: {},
    options: {},
    capabilities: {},
  }));
  write("core.entity_registry", { entities: things, deleted_entities: [] }, 14);
  write("core.config_entries", { entries: [] });
  const users = range(20).map((number) => ({
    id: id(number + 1),
    name: `User ${number}`,
    group_ids: [number ? "system-users" : "system-admin"],
    is_owner: number === 0,
    is_active: true,
    system_generated: false,
    local_only: false,
  }));
  write("auth", { users, groups: [], credentials: [], refresh_tokens: [] });
  writeFileSync(join(config, ".HA_VERSION"), "2026.2.3");
  writeFileSync(join(config, "configuration.yaml"), "shell_command:\n  ring: echo ring\n");
}
