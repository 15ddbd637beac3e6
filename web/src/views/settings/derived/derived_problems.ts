// SPDX-License-Identifier: Apache-2.0
// Where in the form of a helper what the hub refuses belongs, in the words of the form: "upper: expected more than lower" stands at the
// field for `upper`, and calls both as their labels do.
import { t } from "../../../i18n/catalogue";

// The fields that the form asks for, by the hub's name of them.
export interface Worded {
  label: string;
  // The labels of what can be chosen there.
  choices?: Record<string, string>;
  // Of a list of several of a kind: what each asks for, and what the one at a place is called.
  rows?: { fields: Record<string, Worded>; name: (at: number) => string };
}

const isMissing = /^(\w+) is missing$/;
// An error of a template's own text is not of the form.
const isOfTemplate = /^the template /;
const names = /"[^"]*"|[a-z]+(?:_[a-z]+)*/g;

function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

const quoted = (name: string) => t("helpers.quoted", { name });
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// With the labels of the fields, and of the choices, instead of the hub's names. The field that everything has is no such name.
function worded(text: string, fields: Record<string, Worded>, choices: Record<string, string> = {}): string {
  return text.replace(names, (word) => {
    const chosen = own(choices, word.replace(/^"(.*)"$/, "$1"));
    if (chosen !== undefined) return quoted(chosen);
    const field = word === "name" ? undefined : own(fields, word);
    return field ? quoted(field.label) : word;
  });
}

// Where one line belongs, as "upper" or "observations[0].above", and what is said there; undefined if it is of no field.
function placed(line: string, fields: Record<string, Worded>, say: (text: string) => string): [at: string, said: string] | undefined {
  const [, name = "", index, , inner, rest = ""] = /^([a-z_]+)(?:\[(\d+)\])?(\.([a-z_]+))?[^:]*: (.*)$/s.exec(line) ?? [];
  const field = own(fields, name);
  if (field?.rows && index !== undefined) {
    const row = `${name}[${index}]`;
    const within = placed(inner === undefined ? rest : `${inner}: ${rest}`, field.rows.fields, say);
    return within ? [`${row}.${within[0]}`, within[1]] : [name, `${field.rows.name(Number(index))}: ${say(rest)}`];
  }
  const said = (text: string) => (isOfTemplate.test(text) ? say(text) : worded(say(text), fields, field?.choices));
  if (field) return [name, `${field.label}: ${said(rest)}`];
  const lacking = isMissing.exec(line)?.[1];
  const at = lacking ?? line.match(names)?.find((word) => own(fields, word));
  if (at === undefined || !own(fields, at)) return undefined;
  return [at, lacking === undefined ? capitalized(said(line)) : t("form.required")];
}

// By field, the first of each; undefined if a line is of none.
export function placedProblems(
  message: string,
  fields: Record<string, Worded>,
  say: (text: string) => string,
): Record<string, string> | undefined {
  const problems: Record<string, string> = {};
  for (const line of message.split("\n")) {
    const found = placed(line, fields, say);
    if (!found) return undefined;
    problems[found[0]] ??= found[1];
  }
  return problems;
}
