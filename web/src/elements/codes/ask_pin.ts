// SPDX-License-Identifier: Apache-2.0
import { Cancelled, errorText, isCommandError, isPinWrong } from "../../api/errors";
import type { Home } from "../../api/home";
import { cautionOf, oneOf } from "../../cards/caution";
import { loadWords, t } from "../../i18n/catalogue";
import { hubMessage } from "../../i18n/hub_messages";
import { askCodeUntilTaken } from "./code_pad";

// For Home.onPin.
export async function askPin<T>(
  home: Home,
  { service, data, target }: { service: string; data: object; target?: { entity_id?: string | string[] } | undefined },
  send: (pin: string) => Promise<T>,
): Promise<T> {
  await loadWords("dialogs");
  const ids = [target?.entity_id ?? []].flat();
  const question = oneOf(ids.map((id) => cautionOf(home, id, service, data)));
  const [only] = ids.length === 1 ? ids : [];
  let done: { answer: T } | undefined;
  await askCodeUntilTaken({
    heading: question?.heading ?? (only ? home.nameOf(only) : t("pin.needed")),
    text: question?.text ?? "",
    label: t("pin.label"),
    action: question?.action ?? t("pin.go"),
    ofDigits: true,
    send: async (pin) => {
      try {
        done = { answer: await send(pin) };
        return "";
      } catch (error) {
        if (isPinWrong(error)) return t("pin.wrong");
        // Of too many wrong ones the hub says all there is to say.
        return isCommandError(error) && error.code === "home_assistant_error" ? hubMessage(error.message) : errorText(error);
      }
    },
  });
  if (!done) throw new Cancelled(t("pin.needed"));
  return done.answer;
}
