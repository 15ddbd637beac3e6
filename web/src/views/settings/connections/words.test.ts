// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";

import { beforeEach, describe, expect, test, vi } from "vitest";

import type { FlowField, FlowForm } from "../../../api/connections/flows";
import { loadLanguage, loadWords } from "../../../i18n/catalogue";
import {
  abortWords,
  errorWords,
  fieldHint,
  fieldLabel,
  flowHeading,
  integrationName,
  optionLabel,
  problemsOf,
  readable,
  stepText,
} from "./words";

vi.stubGlobal("document", { documentElement: { lang: "" } });
vi.stubGlobal("navigator", { languages: ["en"] });

const text = (name: string, more: Partial<FlowField> = {}): FlowField => ({ name, type: "string", required: true, ...more });

function form(handler: string, step_id: string, fields: FlowField[], placeholders: Record<string, string> = {}): FlowForm {
  return {
    type: "form",
    flow_id: "f1",
    handler,
    step_id,
    data_schema: fields,
    errors: {},
    description_placeholders: placeholders,
    last_step: null,
  };
}

// The codes that docs/api.md lists for a wrong answer.
function codes(): string[] {
  const document = readFileSync("../docs/api.md", "utf8");
  const [, listed = ""] = /has a code by field, or for `base`:([^.]+)\./.exec(document) ?? [];
  return [...listed.matchAll(/`(\w+)`/g)].map(([, code]) => code as string);
}

async function speak(language: string): Promise<void> {
  await loadLanguage(language);
  await Promise.all([loadWords("connections"), loadWords("administration")]);
}

describe.each(["en", "de"])("in %s", (language) => {
  beforeEach(() => speak(language));

  test("each code of the documentation has words of its own, as an error and as the end of a flow", () => {
    expect(codes().length).toBeGreaterThan(8);
    const generalError = errorWords("hm").replace("hm", "");
    const generalEnd = abortWords("bridge", "hm").replace("hm", "");
    for (const code of codes()) {
      if (code !== "unknown") expect(errorWords(code).replace(code, ""), code).not.toBe(generalError);
      expect(abortWords("bridge", code).replace(code, ""), code).not.toBe(generalEnd);
      expect(errorWords(code)).not.toContain("flow.");
    }
    expect(new Set(codes().map((code) => errorWords(code))).size).toBe(codes().length);
  });

  test("a code that nobody knows is named", () => {
    expect(errorWords("frozen")).toContain("(frozen)");
    expect(abortWords("bridge", "frozen")).toContain("(frozen)");
  });
});

describe("in English", () => {
  beforeEach(() => speak("en"));

  test("a name of programs reads as words", () => {
    expect(["encryption_key", "ssl", "_", ""].map(readable)).toEqual(["Encryption key", "Ssl", "_", ""]);
    expect(integrationName("esphome")).toBe("ESPHome");
    expect(integrationName("heat_pump")).toBe("Heat pump");
  });

  test("a known step has its own words, with the values that the hub gives", () => {
    expect(stepText(form("esphome", "encryption_key", [text("noise_psk", { secret: true })], { name: "Kitchen" }))).toMatch(
      /^Kitchen speaks encrypted\./,
    );
  });

  test("an unknown step says what it asks for, and of which device", () => {
    expect(stepText(form("bridge", "user", [text("host")]))).toBe("The hub needs this to reach Bridge.");
    expect(stepText(form("bridge", "pin", [text("pin", { secret: true })], { host: "hall" }))).toBe(
      "Without this hall does not let the hub in.",
    );
    expect(stepText(form("bridge", "confirm", [], { name: "Hall <b>" }))).toBe("Add Hall <b> to your home?");
    expect(flowHeading(form("bridge", "confirm", [], { name: "Hall" }))).toBe("Add Hall");
    expect(flowHeading(form("bridge", "user", []))).toBe("Add Bridge");
  });

  test("fields that many integrations have are known, others are read from their names", () => {
    const asked = form("bridge", "user", []);
    expect(fieldLabel(asked, text("host"))).toBe("Host name or address");
    expect(fieldLabel(asked, text("poll_interval"))).toBe("Poll interval");
    expect(fieldHint(asked, text("pin"))).toMatch(/^It is shown by the device/);
    expect(fieldHint(asked, text("poll_interval"))).toBeUndefined();
    expect(optionLabel(asked, text("kind"), "very_old")).toBe("Very old");
  });

  test("problems stand at their fields, and those of no field at the whole form", () => {
    const problems = problemsOf({ data_schema: [text("pin")], errors: { pin: "invalid_pin", host: "timeout", base: "busy" } });
    expect(problems.pin).toMatch(/^The PIN is wrong/);
    expect(problems.base).toMatch(/^It took too long to answer.*busy with something else/);
    expect(Object.keys(problems)).toHaveLength(2);
  });
});
