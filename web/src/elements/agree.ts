// SPDX-License-Identifier: Apache-2.0
import { confirm, type Question } from "./confirm";

// Asks a question. Resolves to what goes with the call then, undefined if the user does not go ahead.
export async function agree(question: Question): Promise<object | undefined> {
  return (await confirm(question)) ? {} : undefined;
}
