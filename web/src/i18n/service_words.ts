// SPDX-License-Identifier: Apache-2.0
// The hub's services in the page's language. Their English is the hub's own; for other languages it is in
// languages/services.<tag>.json, by "light.turn_on.name", "….description" and "….fields.<field>.description"; with "*" instead of the
// service what holds for all.
import type { Service, Services } from "../api/types";
import { language } from "./catalogue";

type Words = Record<string, string>;

const files = import.meta.glob<Words>("./languages/services.*.json", { import: "default" });

// Without words for it, a text stays as the hub says it.
export async function translated(services: Services): Promise<Services> {
  const words = await files[`./languages/services.${language()}.json`]?.();
  if (!words) return services;
  const result: Services = {};
  for (const [domain, own] of Object.entries(services)) {
    result[domain] = Object.fromEntries(
      Object.entries(own).map(([name, service]) => [name, translatedService(`${domain}.${name}`, service, words)]),
    );
  }
  return result;
}

function translatedService(id: string, service: Service, words: Words): Service {
  const word = (key: string, text: string) => words[`${id}.${key}`] ?? words[`*.${key}`] ?? text;
  return {
    ...service,
    ...(service.name && { name: word("name", service.name) }),
    description: word("description", service.description),
    fields: Object.fromEntries(
      Object.entries(service.fields).map(([name, field]) => [
        name,
        {
          ...field,
          ...(field.name && { name: word(`fields.${name}.name`, field.name) }),
          description: word(`fields.${name}.description`, field.description),
        },
      ]),
    ),
  };
}
