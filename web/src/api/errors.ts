// SPDX-License-Identifier: Apache-2.0
// An error as one sentence for the user that says what to do.
import { ERR_CONNECTION_LOST, ERR_INVALID_AUTH } from "home-assistant-js-websocket";

import { formatDuration, t } from "../i18n/catalogue";
import { hubMessage } from "../i18n/hub_messages";

// An answer of the REST interface that was not a success; `message` is the hub's own text, `retryAfter` the seconds after which it
// wants to be asked again.
export class RestError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfter?: number | undefined,
  ) {
    super(message);
  }
}

// The rejection of sendMessagePromise: the `error` of a result.
export interface CommandError {
  code: string | number;
  message: string;
  // Names the failure for programs.
  translation_key?: string;
}

export function isCommandError(error: unknown): error is CommandError {
  return typeof error === "object" && error !== null && "code" in error && "message" in error;
}

// True if the connection was lost before the hub answered; what was asked for may have been done.
export function isLost(error: unknown): boolean {
  // The library rejects what was under way with the whole result.
  const { error: inner } = (error ?? {}) as { error?: unknown };
  return error === ERR_CONNECTION_LOST || (isCommandError(inner) && inner.code === ERR_CONNECTION_LOST);
}

// The user cancelled it: the page says nothing.
export class Cancelled extends Error {}

// True if the hub demands a PIN, or says that it is another.
export const isPinNeeded = (error: unknown): boolean => isCommandError(error) && error.translation_key === "pin_needed";
export const isPinWrong = (error: unknown): boolean => isCommandError(error) && error.translation_key === "pin_wrong";

// True if the hub says in its own words what another machine, or its disk, did not do. A proxy before it says only what the status is.
const isElsewhere = ({ status, message }: RestError): boolean =>
  (status === 502 || status === 503) && !["", "Bad Gateway", "Service Unavailable"].includes(message);

export function errorText(error: unknown): string {
  if (isLost(error)) return t("error.network");
  if (error === ERR_INVALID_AUTH) return t("error.session");
  if (error instanceof TypeError) return t("error.network"); // what fetch throws where nobody answers
  if (error instanceof RestError) {
    if (error.status === 401) return t("error.session");
    if (error.status === 403) return t("error.forbidden");
    if (error.status === 429 && error.retryAfter) return t("error.throttled", { time: formatDuration(error.retryAfter) });
    if (error.status === 429) return t("error.banned");
    if (error.status >= 500 && !isElsewhere(error)) return t("error.server");
    return t("error.unknown", { message: hubMessage(error.message) });
  }
  if (isCommandError(error)) {
    if (error.code === "unauthorized") return t("error.forbidden");
    if (error.code === "not_found") return t("error.notFound");
    if (error.code === "unknown_command") return t("error.unknownCommand");
    if (error.code === "unknown_error") return t("error.server");
    return t("error.unknown", { message: hubMessage(error.message) });
  }
  return t("error.unknown", { message: error instanceof Error ? error.message : String(error) });
}
