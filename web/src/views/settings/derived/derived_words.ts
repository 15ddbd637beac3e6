// SPDX-License-Identifier: Apache-2.0
// The names of helpers, and of the fields of sensors made of others: "derived.min_max.round_digits" for one platform, or
// "derived.field.name" for all that have such a field.
import type { DerivedField } from "../../../api/derived";
import { isHelperKind } from "../../../api/helpers";
import { choicesOf, kindOf, optionsOf, type Selector } from "../../../elements/selectors/selector";
import { maybeT, t } from "../../../i18n/catalogue";
import type { Worded } from "./derived_problems";

export function kindName(kind: string): string {
  return isHelperKind(kind) ? t(`domain.${kind}`) : (maybeT(`derived.${kind}`) ?? kind);
}

export function fieldName(platform: string, key: string): string {
  return maybeT(`derived.${platform}.${key}`) ?? maybeT(`derived.field.${key}`) ?? key;
}

export function fieldHint(platform: string, key: string): string {
  return maybeT(`derived.${platform}.${key}.hint`) ?? maybeT(`derived.field.${key}.hint`) ?? "";
}

export function choiceName(platform: string, key: string, choice: string): string {
  return maybeT(`derived.${platform}.${key}.${choice}`) ?? maybeT(`derived.choice.${choice}`) ?? choice;
}

// Its choices in words.
export function wordedSelector(platform: string, { key, selector }: DerivedField): Selector {
  const options = optionsOf(selector);
  if (kindOf(selector) !== "select" || options.custom_value === true) return selector;
  return { select: { ...options, options: choicesOf(selector).map(([value]) => ({ value, label: choiceName(platform, key, value) })) } };
}

// The names of these fields, for the words about them.
export function wordsOf(platform: string, fields: DerivedField[]): Record<string, Worded> {
  return Object.fromEntries(
    fields.map((field): [string, Worded] => {
      const { key, selector } = field;
      const label = fieldName(platform, key);
      if (kindOf(selector) !== "object") return [key, { label, choices: Object.fromEntries(choicesOf(wordedSelector(platform, field))) }];
      const { kinds } = optionsOf(selector) as { kinds: Record<string, DerivedField[]> };
      return [
        key,
        {
          label,
          rows: {
            fields: wordsOf(platform, Object.values(kinds).flat()),
            name: (at) => t(`derived.${key as "filters"}.one`, { number: at + 1 }),
          },
        },
      ];
    }),
  );
}
