// SPDX-License-Identifier: Apache-2.0
// Starts, administers and stops the real binary.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = resolve(fileURLToPath(new URL("../..", import.meta.url)));
const binary = resolve(repository, process.env.HEARTH_BINARY ?? "build/release/hearth");
// The hub with two integrations more: `faulty` fails as its option `mode` says, `bridge` has flows. The build with sanitizers has it, and
// other builds only if somebody has built it.
const besideBinary = resolve(dirname(binary), "hearth_faulty");
export const faultyBinary = existsSync(besideBinary) ? besideBinary : resolve(repository, "build/asan/hearth_faulty");

export const password = "seven small lamps in a row";

// Who lives in a home of the tests, by name.
export type User = "ann" | "ben" | "display";
const roles: Record<User, string[]> = { ann: ["--admin"], ben: [], display: ["--read-only"] };

// A still and repeatable demo home.
const demo = `
demo:
  seed: 7
  speed: 0
http:
  trusted_proxies: [127.0.0.1]
`;

// What is said there cannot be changed on the pages.
const home = `
home:
  name: NAME
  latitude: 52.5
  longitude: 13.4
  time_zone: Europe/Berlin
  country: DE
`;

const errorLine = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} error /m;
const sanitizerReport = /runtime error:|Sanitizer|data race|heap-|stack-overflow|Assertion|terminate called/;

export interface State {
  entity_id: string;
  state: string;
  attributes: Record<string, unknown>;
  last_changed: string;
}

// Ports below those that the system gives to clients and those of tests/functional, in blocks. The process that listens on the first
// port of a block owns the rest of it: otherwise another process could find a port free, too, before the hub takes it.
const firstPort = 10_000;
const blockSize = 100;
const blocks = 100;

function listen(port: number): Promise<Server | undefined> {
  return new Promise((bound) => {
    const server = createServer();
    server.once("error", () => bound(undefined));
    server.listen(port, "127.0.0.1", () => bound(server));
  });
}

async function* claimedPorts(): AsyncGenerator<number> {
  for (let tried = 0; tried < blocks; ++tried) {
    const start = firstPort + ((process.pid + tried) % blocks) * blockSize;
    const claim = await listen(start);
    claim?.unref();
    for (let port = start + 1; claim && port < start + blockSize; ++port) yield port;
  }
}

const ports = claimedPorts();

// A port that nothing listens on, each once in a process.
export async function freePort(): Promise<number> {
  for (let next = await ports.next(); !next.done; next = await ports.next()) {
    const probe = await listen(next.value);
    if (!probe) continue;
    await new Promise((closed) => probe.close(closed));
    return next.value;
  }
  throw new Error("no port is free");
}

// What is in a home's folder as soon as these users live there, and a token. To hash passwords takes longer than a hub's start.
let lived: { database: Buffer; token: string } | undefined;

export class Hub {
  readonly url: string;
  private readonly tokens = new Map<User, string>();
  private process: ChildProcess | undefined;
  private log = "";
  // A test that causes errors in the log says so.
  errorsExpected = false;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly program: string,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  // A running hub with a folder of its own. Without `users` nobody lives there yet, without `name` it is not called Test home;
  // `configuration` stands behind the rest of configuration.yaml.
  static async start({ users = true, name = "Test home", configuration = "", program = binary } = {}): Promise<Hub> {
    const hub = new Hub(mkdtempSync(join(tmpdir(), "hearth-web-")), await freePort(), program);
    writeFileSync(join(hub.folder, "configuration.yaml"), demo + (name ? home.replace("NAME", JSON.stringify(name)) : "") + configuration);
    if (users) hub.moveIn();
    await hub.begin();
    return hub;
  }

  // Runs one command of the binary to its end, and returns what it printed.
  command(arguments_: string[], input = ""): string {
    const done = spawnSync(binary, [...arguments_, "--config", this.folder], { input, encoding: "utf8", timeout: 30_000 });
    if (done.status !== 0) throw new Error(`hearth ${arguments_.join(" ")}: ${done.error?.message ?? done.stderr}`);
    return done.stdout;
  }

  addUser(name: string, ...flags: string[]): void {
    this.command(["user", "add", name, ...flags, "--password-stdin"], `${password}\n`);
  }

  token(user: User): string {
    const known = this.tokens.get(user) ?? this.command(["token", "create", "--user", user, "--name", "Tests"]).trim();
    this.tokens.set(user, known);
    return known;
  }

  // The users and a token of one, before the hub runs: what is made while it does counts within a second.
  private moveIn(): void {
    const database = join(this.folder, "home.db");
    if (lived) {
      writeFileSync(database, lived.database, { mode: 0o600 });
      this.tokens.set("ann", lived.token);
    } else {
      for (const [name, flags] of Object.entries(roles)) this.addUser(name, ...flags);
      lived = { token: this.token("ann"), database: readFileSync(database) };
    }
  }

  // Starts the process, in the folder and on the port that it had before.
  async begin(): Promise<void> {
    const process = spawn(this.program, ["serve", "--config", this.folder, "--host", "127.0.0.1", "--port", String(this.port)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.process = process;
    process.stderr.setEncoding("utf8");
    await new Promise<void>((ready, failed) => {
      process.once("error", failed);
      process.once("exit", () => failed(new Error(`The hub ended at its start:\n${this.log}`)));
      process.stderr.on("data", (text: string) => {
        this.log += text;
        if (this.log.includes("ready at http")) ready();
      });
    });
    process.removeAllListeners("exit");
  }

  // What the log of a home without users says, when it has said it.
  firstUserCode(): string | undefined {
    return /ask for the code ([0-9A-Z-]+)/.exec(this.log)?.[1];
  }

  // Ends the process, and judges how it ended and what it logged.
  async end(): Promise<void> {
    const process = this.process;
    if (!process) return;
    this.process = undefined;
    const ended = new Promise<number | string | null>((resolve) => {
      if (process.exitCode !== null || process.signalCode !== null) resolve(process.exitCode ?? process.signalCode);
      process.once("exit", (code, signal) => resolve(code ?? signal));
    });
    process.kill("SIGTERM");
    const patience = setTimeout(() => process.kill("SIGKILL"), 10_000);
    const code = await ended;
    clearTimeout(patience);
    const log = this.log;
    this.log = "";
    if (code !== 0) throw new Error(`The hub ended with ${code}:\n${log}`);
    if ((errorLine.test(log) && !this.errorsExpected) || sanitizerReport.test(log)) throw new Error(`The hub logged an error:\n${log}`);
  }

  // With a limit on the size of files, the disk is full to the hub.
  setDiskFull(full: boolean): void {
    const limit = `--fsize=${full ? "4096" : "unlimited"}:unlimited`;
    const done = spawnSync("prlimit", ["--pid", String(this.process?.pid), limit], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`prlimit: ${done.error?.message ?? done.stderr}`);
  }

  async stop(): Promise<void> {
    try {
      await this.end();
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  // Calls the REST interface with a user's token, and returns the answer's body. Fails where the answer is no success.
  async rest<T>(method: string, path: string, body?: unknown, user: User = "ann"): Promise<T> {
    const response = await this.fetch(method, path, body, this.token(user));
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  fetch(method: string, path: string, body?: unknown, token?: string): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  state(id: string): Promise<State> {
    return this.rest("GET", `/api/states/${id}`);
  }

  setState(id: string, state: string, attributes: Record<string, unknown> = {}): Promise<State> {
    return this.rest("POST", `/api/states/${id}`, { state, attributes });
  }

  call(domain: string, service: string, data: object): Promise<State[]> {
    return this.rest("POST", `/api/services/${domain}/${service}`, data);
  }

  // Logs in as a page at that origin does, in a client that calls itself so, and returns what it would keep in the browser's storage.
  async logIn(user: string, secret = password, { origin = this.url, agent = "tests" } = {}): Promise<object> {
    const client_id = `${origin}/`;
    const ask = async (path: string, body: string | URLSearchParams) => {
      const response = await fetch(this.url + path, { method: "POST", body, headers: { "User-Agent": agent } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, string & number>;
    };
    const flow = await ask("/auth/login_flow", JSON.stringify({ client_id, handler: ["homeassistant", null], redirect_uri: client_id }));
    const step = await ask(`/auth/login_flow/${flow.flow_id}`, JSON.stringify({ client_id, username: user, password: secret }));
    if (!step.result) throw new Error(`${user} could not log in: ${JSON.stringify(step)}`);
    const tokens = await ask("/auth/token", new URLSearchParams({ grant_type: "authorization_code", code: step.result, client_id }));
    return { hassUrl: origin, clientId: client_id, expires: Date.now() + Number(tokens.expires_in) * 1000, ...tokens };
  }
}
