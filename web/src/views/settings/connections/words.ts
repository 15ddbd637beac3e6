// SPDX-License-Identifier: Apache-2.0
// The words around the forms of flows. The catalogue has them by integration and step, `flow.esphome.user`; what it does not know
// reads well all the same: by the names of fields that many integrations have, and by what a form asks for.
import type { FlowField, FlowForm } from "../../../api/connections/flows";
import { maybeT, t } from "../../../i18n/catalogue";

type Asked = Pick<FlowForm, "handler" | "step_id" | "data_schema" | "description_placeholders">;

// "encryption_key" → "Encryption key".
export function readable(name: string): string {
  const words = name.replace(/[_\s]+/g, " ").trim();
  return words === "" ? name : (words[0] as string).toUpperCase() + words.slice(1);
}

// "bridge" → "Bridge".
export function integrationName(domain: string): string {
  return maybeT(`integration.${domain}`) ?? readable(domain);
}

// The first text that the catalogue has of these keys, and that has all of its values.
function firstText(keys: string[], values: Record<string, string> = {}): string | undefined {
  for (const key of keys) {
    const text = maybeT(key, values);
    const wanted = maybeT(key)?.match(/\{\w+\}/g) ?? [];
    if (text !== undefined && wanted.every((name) => name.slice(1, -1) in values)) return text;
  }
  return undefined;
}

// The name of the device, as far as that is known.
export function deviceOf({ handler, description_placeholders: known }: Asked): string {
  return known.name || known.host || integrationName(handler);
}

// "Add Kitchen node", or "Change Kitchen node".
export function flowHeading(form: Asked, isChange = false): string {
  return t(isChange ? "flow.changeHeading" : "flow.heading", { name: form.description_placeholders.name || integrationName(form.handler) });
}

// The question of a step, in a sentence.
export function stepText(form: Asked): string {
  const { handler, step_id, data_schema, description_placeholders: values } = form;
  const own = firstText([`flow.${handler}.${step_id}`], { name: deviceOf(form), ...values });
  if (own !== undefined) return own;
  const device = deviceOf(form);
  if (data_schema.length === 0) return t("flow.fallback.confirm", { device });
  return t(data_schema.every(({ secret }) => secret) ? "flow.fallback.secret" : "flow.fallback.form", { device });
}

const fieldKeys = ({ handler, step_id }: Asked, name: string) => [
  `flow.${handler}.${step_id}.${name}`,
  `flow.${handler}.field.${name}`,
  `flow.field.${name}`,
];

export function fieldLabel(form: Asked, { name }: FlowField): string {
  return firstText(fieldKeys(form, name)) ?? readable(name);
}

export function fieldHint(form: Asked, { name }: FlowField): string | undefined {
  return firstText(
    fieldKeys(form, name).map((key) => `${key}.hint`),
    form.description_placeholders,
  );
}

export function optionLabel(form: Asked, { name }: FlowField, option: string): string {
  return firstText(fieldKeys(form, name).map((key) => `${key}.${option}`)) ?? readable(option);
}

// The meaning of an error code, and what to do; an integration may have words of its own for a field.
export function errorWords(code: string, handler = "", field = ""): string {
  const own = handler && firstText([`flow.${handler}.error.${field}.${code}`]);
  return own || ((code === "unknown" ? undefined : maybeT(`flow.error.${code}`)) ?? t("flow.error.unknown", { code }));
}

// Why a flow has ended without a connection.
export function abortWords(handler: string, reason: string): string {
  return firstText([`flow.${handler}.abort.${reason}`, `flow.abort.${reason}`]) ?? t("flow.abort", { reason });
}

// The problems of a form by field; what is of no field of it is of `base`.
export function problemsOf({
  errors,
  data_schema,
  handler,
}: Pick<FlowForm, "errors" | "data_schema"> & { handler?: string }): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [name, code] of Object.entries(errors)) {
    const place = data_schema.some((field) => field.name === name) ? name : "base";
    problems[place] = [problems[place], errorWords(code, handler, name)].filter(Boolean).join(" ");
  }
  return problems;
}
