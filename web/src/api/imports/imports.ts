// SPDX-License-Identifier: Apache-2.0
// Moving in from Home Assistant, as administrators and the first start do it.
import type { Home } from "../home";
import { askOnboarding } from "../session";
import { upload, type Upload } from "../upload";
import { freeName } from "./free_name";
import type { Report } from "./report";

export interface UploadedBackup {
  // "upload:NAME"
  source: string;
  name: string;
  bytes: number;
  created: string;
  // Of Home Assistant; null if the backup does not say it.
  version: string | null;
  // It is encrypted.
  protected: boolean;
}

export type ImportSource = Omit<UploadedBackup, "bytes" | "created"> & {
  kind: "upload" | "folder";
  bytes: number | null;
  created: string | null;
};

export interface Progress {
  step?: string | null;
  // Of `of`, in parts of the step that are no rows; 0 of 0 if the step cannot say.
  done?: number | null;
  of?: number | null;
  // Of history, since the beginning.
  rows?: number | null;
  seconds_left?: number | null;
}

export interface ImportFailure {
  code: string;
  message: string;
}

export interface ImportState extends Progress {
  state: "idle" | "looking" | "working" | "ready" | "restarting" | "failed";
  source?: string | null;
  error?: string | null;
}

export interface ImportOptions {
  // How much of the past: "all", "none", "30d".
  history: string;
  credentials: boolean;
  automations: "as-they-were" | "off";
  side_by_side: boolean;
}

export const defaultOptions: ImportOptions = { history: "all", credentials: true, automations: "as-they-were", side_by_side: false };

export interface ToDo {
  id: string;
  text: string;
  do: string;
  // A word for the cause: "no_password".
  attention: string;
  // The kind of thing: "user", "reserved".
  what: string;
  // Its name for people; of an automation its entity id, of a reserved entry its integration.
  name: string;
}

export interface LastImport {
  state: ImportState;
  // Null if this home never moved.
  report: Report | null;
  to_do: ToDo[];
}

export function listImports(home: Home): Promise<{ sources: ImportSource[]; state: ImportState }> {
  return home.rest("GET", "/api/imports");
}

export async function uploadImport(
  home: Home,
  file: File,
  others: ImportSource[],
  progress: (share: number) => void,
): Promise<Upload<UploadedBackup>> {
  const { auth } = home;
  if (auth.expired) await auth.refreshAccessToken();
  const name = freeName(file.name, new Set(others.filter(({ kind }) => kind === "upload").map((other) => other.name)));
  return upload(`/api/imports?name=${encodeURIComponent(name)}`, file, { Authorization: `Bearer ${auth.accessToken}` }, progress);
}

export function deleteImport(home: Home, name: string): Promise<unknown> {
  return home.rest("DELETE", `/api/imports/${encodeURIComponent(name)}`);
}

const keyed = (passphrase: string) => passphrase && { passphrase };

// May take minutes.
export function lookInto(home: Home, source: string, passphrase: string): Promise<Report> {
  return home.command("hearth/import/look", { source, ...keyed(passphrase) });
}

type ImportEvent = Progress | { report: Report } | { error: ImportFailure };

// Begins an import, which goes on if the page is left. Resolves when it has begun, to what ends the following: `told` gets how far it
// is, `ended` its failure, or undefined.
export async function startImport(
  home: Home,
  source: string,
  passphrase: string,
  options: ImportOptions,
  told: (progress: Progress) => void,
  ended: (failure: ImportFailure | undefined) => void,
): Promise<() => void> {
  const hear = (event: ImportEvent) => {
    if ("error" in event) ended(event.error);
    else if ("report" in event) ended(undefined);
    else told(event);
  };
  // A connection that is lost and comes back does not begin it again.
  const message = { type: "hearth/import/start", source, ...keyed(passphrase), ...options };
  const stop = await home.connection.subscribeMessage<ImportEvent>(hear, message, { resubscribe: false });
  return () => void stop().catch(() => undefined); // it may have ended by itself
}

export function cancelImport(home: Home): Promise<unknown> {
  return home.command("hearth/import/cancel");
}

export function lastImport(home: Home): Promise<LastImport> {
  return home.command("hearth/import/report");
}

export function settleToDo(home: Home, id: string): Promise<unknown> {
  return home.command("hearth/import/done", { item: id });
}

export function restartIntoImport(home: Home): Promise<unknown> {
  return home.command("hearth/import/restart");
}

const firstImportKey = "hearth_first_import";

// At the first start, where nobody can log in yet; `code` is empty if none is needed.
export class FirstImport {
  code = "";

  // With the code of one that was begun in this tab.
  static remembered(): FirstImport {
    const made = new FirstImport();
    made.code = sessionStorage.getItem(firstImportKey) ?? "";
    return made;
  }

  remember(): void {
    sessionStorage.setItem(firstImportKey, this.code);
  }

  forget(): void {
    sessionStorage.removeItem(firstImportKey);
  }

  // The import that goes on or has failed; undefined if there is none that this page may know.
  async underWay(): Promise<ImportState | undefined> {
    const state = await this.state().catch(() => undefined);
    return state && ["working", "ready", "restarting", "failed"].includes(state.state) ? state : undefined;
  }

  private ask<T>(action: string, data: object = {}): Promise<T> {
    return askOnboarding<T>(`import/${action}`, { ...data, ...(this.code && { code: this.code }) });
  }

  upload(file: File, progress: (share: number) => void): Upload<UploadedBackup> {
    return upload("/api/onboarding/import", file, this.code ? { "X-First-User-Code": this.code } : {}, progress);
  }

  look(passphrase: string): Promise<Report> {
    return this.ask("look", keyed(passphrase) || {});
  }

  start(passphrase: string, options: ImportOptions): Promise<ImportState> {
    return this.ask("start", { ...keyed(passphrase), ...options });
  }

  state(): Promise<ImportState> {
    return this.ask("state");
  }

  cancel(): Promise<ImportState> {
    return this.ask("cancel");
  }
}
