// SPDX-License-Identifier: Apache-2.0
// An authenticator app (RFC 6238), which reads QR codes as a phone's camera does.
import { createHmac } from "node:crypto";
import type { Locator } from "@playwright/test";
import jsQR from "jsqr";

export class AuthenticatorApp {
  private readonly key: Buffer;
  private used = 0;

  private constructor(secret: string) {
    const digits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter));
    const bits = digits.map((digit) => digit.toString(2).padStart(5, "0")).join("");
    this.key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  }

  // Reads the QR code of the page.
  static async scan(code: Locator): Promise<AuthenticatorApp> {
    const side = Number((await code.getAttribute("viewBox"))?.split(" ")[2]);
    const path = (await code.locator("path").getAttribute("d")) ?? "";
    const scale = 4;
    const pixels = new Uint8ClampedArray((side * scale) ** 2 * 4).fill(255);
    for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
      for (let pixel = 0; pixel < scale * scale; ++pixel) {
        const row = Number(y) * scale + Math.floor(pixel / scale);
        const at = (row * side * scale + Number(x) * scale + (pixel % scale)) * 4;
        pixels.set([0, 0, 0, 255], at);
      }
    }
    const url = new URL(jsQR(pixels, side * scale, side * scale)?.data ?? "none:");
    if (url.protocol !== "otpauth:") throw new Error("this is no QR code for an authenticator app");
    return new AuthenticatorApp(url.searchParams.get("secret") ?? "");
  }

  // One that was not used yet; waits for its time if it must.
  async code(): Promise<string> {
    const now = () => Math.floor(Date.now() / 30_000);
    this.used = Math.max(this.used + 1, now() - 1);
    while (this.used > now() + 1) await new Promise((wake) => setTimeout(wake, 200));
    return this.at(this.used);
  }

  private at(step: number): string {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const mac = createHmac("sha1", this.key).update(counter).digest();
    const number = mac.readUInt32BE((mac[19] ?? 0) & 15) & 0x7fffffff;
    return String(number % 1_000_000).padStart(6, "0");
  }
}
