// SPDX-License-Identifier: Apache-2.0
import { confirm, type Question } from "./confirm";

// Asks a question that may demand a PIN. Resolves to what goes with the call then, undefined if the user does not go ahead.
export async function agree(question: Question): Promise<{ pin?: string } | undefined> {
  if (!question.pin) return (await confirm(question)) ? {} : undefined;
  const { askCode } = await import("./codes/ask_code");
  const pin = await askCode(question, "number");
  return pin === undefined ? undefined : { pin };
}
