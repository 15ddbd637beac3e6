// SPDX-License-Identifier: Apache-2.0
import { RestError, errorText } from "../../api/errors";

// An error in the hub's own words, which developers prefer: "400 Invalid entity ID specified."
export function hubText(error: unknown): string {
  return error instanceof RestError ? `${error.status} ${error.message}` : errorText(error);
}
