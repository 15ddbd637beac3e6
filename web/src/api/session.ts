// SPDX-License-Identifier: Apache-2.0
// The user of this device: the tokens of the session, kept in the browser until logging out.
import { Auth, createLongLivedTokenAuth, ERR_INVALID_AUTH, type AuthData } from "home-assistant-js-websocket";

import { RestError } from "./errors";
import { AppAuth, isInApp } from "./people/external_app";
import { browserHasPasskeys, usePasskey, type PasskeyOptions } from "./people/passkeys";

const key = "hearth.session";
const clientId = `${location.origin}/`;

// `session` is the page's own name for it, by which tabs know that they have the same.
type Stored = AuthData & { session?: string };

function read(): Stored | undefined {
  const text = localStorage.getItem(key);
  if (!text) return undefined;
  try {
    return JSON.parse(text) as Stored;
  } catch {
    save(null);
    return undefined;
  }
}

function save(data: Stored | null): void {
  if (data) localStorage.setItem(key, JSON.stringify(data));
  else localStorage.removeItem(key);
}

// Asks for a new access token once, however many wait for it; and each time for a new refresh token: one that somebody has copied is
// worth nothing soon, and ends the session. Other tabs of this browser do the same, so that what one was given counts for all.
class Session extends Auth {
  declare data: Stored;
  private refreshing: Promise<void> | undefined;

  override refreshAccessToken(): Promise<void> {
    return (this.refreshing ??= this.refresh().finally(() => (this.refreshing = undefined)));
  }

  private async refresh(): Promise<void> {
    if (this.takeStored() && !this.expired) return;
    const { refresh_token } = this.data;
    const form = new URLSearchParams({ grant_type: "refresh_token", client_id: clientId, refresh_token, rotate: "1" });
    const response = await fetch("/auth/token", { method: "POST", credentials: "same-origin", body: form });
    if (!response.ok) throw response.status === 400 || response.status === 403 ? ERR_INVALID_AUTH : new Error(response.statusText);
    const tokens = (await response.json()) as { access_token: string; refresh_token: string; expires_in: number };
    this.data = { ...this.data, ...tokens, expires: Date.now() + tokens.expires_in * 1000 };
    save(this.data);
  }

  // True if another tab has been given newer tokens of this session.
  private takeStored(): boolean {
    const stored = read();
    if (!stored || stored.session !== this.data.session || stored.access_token === this.data.access_token) return false;
    this.data = stored;
    return true;
  }

  override revoke(): Promise<void> {
    this.takeStored();
    return super.revoke();
  }
}

// As fetch, in the session's name.
export async function fetchAs(auth: Auth, path: string, init: RequestInit = {}): Promise<Response> {
  if (auth.expired) await auth.refreshAccessToken();
  return fetch(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${auth.accessToken}` } });
}

// An administrator may see the home as somebody else does, in one tab and for a while: with a token that only reads.
const viewKey = "hearth.view";

export interface View {
  name: string;
  access_token: string;
}

export function currentView(): View | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(viewKey) ?? "null") as View | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function beginView(view: View): void {
  sessionStorage.setItem(viewKey, JSON.stringify(view));
}

// Returns whether there was one; what comes next is the tab's own session again.
export function endView(): boolean {
  const had = currentView() !== undefined;
  sessionStorage.removeItem(viewKey);
  return had;
}

// The session of the last visit, if there is one; whether the hub still knows it shows when it is used.
export function storedSession(): Auth | undefined {
  if (isInApp()) return new AppAuth();
  const view = currentView();
  if (view) return createLongLivedTokenAuth(location.origin, view.access_token);
  const data = read();
  return data && new Session(data, save);
}

export function forgetSession(): void {
  save(null);
}

function retryAfter(response: Response): number | undefined {
  return Number(response.headers.get("Retry-After")) || undefined;
}

// Asks the hub and returns what it says; throws RestError with its message where it refuses.
async function ask<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new RestError(response.status, response.statusText, retryAfter(response));
  }
  if (!response.ok) {
    const { message, error_description } = answer as { message?: string; error_description?: string };
    throw new RestError(response.status, message ?? error_description ?? response.statusText, retryAfter(response));
  }
  return answer as T;
}

async function exchangeCode(code: string): Promise<Auth> {
  const form = new URLSearchParams({ grant_type: "authorization_code", code, client_id: clientId });
  const tokens = await ask<{ access_token: string; refresh_token: string; expires_in: number }>("/auth/token", {
    method: "POST",
    body: form,
  });
  const data: Stored = {
    session: Math.random().toString(36).slice(2),
    hassUrl: location.origin,
    clientId,
    expires: Date.now() + tokens.expires_in * 1000,
    ...tokens,
  };
  save(data);
  return new Session(data, save);
}

interface LoginStep {
  type: "form" | "create_entry" | "abort";
  flow_id: string;
  step_id?: string;
  result?: string;
  description_placeholders?: Record<string, string> | null;
}

// The second step of a login: a code of the authenticator app. `setUp` is there where the user has none yet, and the home demands one.
export interface CodeStep {
  flow: string;
  setUp: { code: string; url: string } | undefined;
}

// A session, a step that is still due, or that what was typed is wrong.
export type LoginAnswer = Auth | CodeStep | "wrong";

async function afterStep(step: LoginStep, failed: boolean): Promise<LoginAnswer> {
  if (step.type === "create_entry" && step.result) return exchangeCode(step.result);
  if (step.type === "abort") throw new LoginEnded();
  if (failed || (step.step_id !== "mfa" && step.step_id !== "mfa_setup")) return "wrong";
  const { code = "", url = "" } = step.description_placeholders ?? {};
  return { flow: step.flow_id, setUp: step.step_id === "mfa_setup" ? { code, url } : undefined };
}

// Too many wrong codes: the login begins anew.
export class LoginEnded extends Error {}

// Throws RestError with status 429 when the hub takes no attempts.
export async function logIn(username: string, password: string): Promise<LoginAnswer> {
  const flow = await ask<LoginStep>("/auth/login_flow", {
    method: "POST",
    body: JSON.stringify({ client_id: clientId, handler: ["homeassistant", null], redirect_uri: clientId }),
  });
  const step = await ask<LoginStep>(`/auth/login_flow/${flow.flow_id}`, {
    method: "POST",
    body: JSON.stringify({ client_id: clientId, username, password }),
  });
  return afterStep(step, false);
}

// Throws LoginEnded, and RestError as above; with status 404 where the login took too long.
export async function sendCode({ flow }: CodeStep, code: string): Promise<LoginAnswer> {
  const step = await ask<LoginStep>(`/auth/login_flow/${flow}`, {
    method: "POST",
    body: JSON.stringify({ client_id: clientId, code }),
  });
  return afterStep(step, true);
}

// True if somebody has a passkey, and this browser could use one.
export async function offersPasskeys(): Promise<boolean> {
  return browserHasPasskeys() && (await ask<{ passkeys?: boolean }>("/auth/providers", {})).passkeys === true;
}

// Throws NotAllowedError where the person ends it; otherwise as logIn.
export async function logInByPasskey(): Promise<Auth | "wrong"> {
  const flow = await ask<LoginStep & { options: PasskeyOptions }>("/auth/login_flow", {
    method: "POST",
    body: JSON.stringify({ client_id: clientId, handler: ["passkey", null], redirect_uri: clientId }),
  });
  const answer = await usePasskey(flow.options);
  const step = await ask<LoginStep>(`/auth/login_flow/${flow.flow_id}`, {
    method: "POST",
    body: JSON.stringify({ client_id: clientId, ...answer }),
  });
  return step.type === "create_entry" && step.result ? exchangeCode(step.result) : "wrong";
}

async function firstUserStep(): Promise<{ done: boolean; needs_code?: boolean } | undefined> {
  const steps = await ask<{ step: string; done: boolean; needs_code?: boolean }[]>("/api/onboarding", {});
  return steps.find(({ step }) => step === "user");
}

// True if the home has no user yet.
export async function isFirstRun(): Promise<boolean> {
  return (await firstUserStep())?.done === false;
}

// True if the hub makes the first user only for who knows the code in its log: it takes this browser for a stranger's.
export async function needsFirstUserCode(): Promise<boolean> {
  return (await firstUserStep())?.needs_code === true;
}

// `code` is null where none is needed.
interface FirstUser {
  name: string;
  username: string;
  password: string;
  language: string;
  code: string | null;
}

// Makes the home's first administrator and logs in as them.
export async function createFirstUser(user: FirstUser): Promise<Auth> {
  const { auth_code } = await ask<{ auth_code: string }>("/api/onboarding/users", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_id: clientId, ...user }),
  });
  return exchangeCode(auth_code);
}

export interface ShownInvitation {
  name: string;
  // The home's name.
  home: string;
  invited_by: string | null;
  role: "administrator" | "user" | "reader";
  ends_at: string | null;
  expires_at: string;
}

function askInvitation<T>(path: string, body: object): Promise<T> {
  return ask<T>(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

// Throws RestError with what is wrong with it.
export function lookAtInvitation(invitation: string): Promise<ShownInvitation> {
  return askInvitation("/auth/invitation", { invitation });
}

interface Acceptance {
  invitation: string;
  name: string;
  username: string;
  password: string;
}

// Makes the account and logs in; undefined where the home demands a second factor, which is set up at the login.
export async function acceptInvitation(acceptance: Acceptance): Promise<Auth | undefined> {
  const { auth_code } = await askInvitation<{ auth_code: string | null }>("/auth/invitation/accept", {
    client_id: clientId,
    ...acceptance,
  });
  return auth_code === null ? undefined : exchangeCode(auth_code);
}

// Asks for something of the first start, where there is no session yet; throws RestError.
export function askOnboarding<T>(action: string, data: object): Promise<T> {
  return ask<T>(`/api/onboarding/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(data),
  });
}

// Asks for the new home to become that of the backup which was uploaded; the hub then restarts.
export function restoreFirst(passphrase: string, code: string | null, file: string): Promise<{ home: string; created: string }> {
  return askOnboarding("restore", { passphrase: passphrase || null, code, file });
}

// Ends the session, also at the hub if it can be reached.
export async function logOut(auth: Auth): Promise<void> {
  try {
    await auth.revoke();
  } finally {
    save(null);
  }
}
