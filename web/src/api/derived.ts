// SPDX-License-Identifier: Apache-2.0
// The sensors that the hub makes of other entities: what each platform asks for.
import type { Selector } from "../elements/selectors/selector";
import type { Home } from "./home";

export interface DerivedField {
  key: string;
  selector: Selector;
  required: boolean;
  // The default without it.
  default?: unknown;
  // In which domains there is one; absent: in all.
  domains?: string[];
}

// By platform: {min_max: …}.
export type DerivedKinds = Record<string, { domains: string[]; fields: DerivedField[] }>;

const asked = new WeakMap<Home, Promise<DerivedKinds>>();

// They are the same as long as the hub runs.
export function derivedKinds(home: Home): Promise<DerivedKinds> {
  const known = asked.get(home);
  if (known) return known;
  const answer = home.command<DerivedKinds>("hearth/derived_kinds");
  asked.set(home, answer);
  answer.catch(() => asked.delete(home));
  return answer;
}
