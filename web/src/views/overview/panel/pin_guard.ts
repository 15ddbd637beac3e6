// SPDX-License-Identifier: Apache-2.0
// True if somebody knows the PIN of a panel. After some that are wrong there is a pause, so that nobody tries them all.
import { t } from "../../../i18n/catalogue";

const mostWrong = 5;
// Milliseconds, by a clock that does not jump.
const pause = 30_000;

export const isPin = (text: string): boolean => /^\d{4,8}$/.test(text);

export class PinGuard {
  private wrong = 0;
  private until = 0;

  // Empty if it is right.
  problemOf(code: string, pin: string, now = performance.now()): string {
    if (now < this.until) return t("panel.pause");
    if (code === pin) {
      this.wrong = 0;
      return "";
    }
    this.wrong += 1;
    if (this.wrong % mostWrong !== 0) return t("panel.wrongPin");
    this.until = now + pause;
    return t("panel.pause");
  }
}
