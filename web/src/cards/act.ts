// SPDX-License-Identifier: Apache-2.0
// Does what people tap: calls services, after one question where a tap is not enough, and says what failed.
import type { Home } from "../api/home";
import { confirm } from "../elements/confirm";
import { attempt } from "../elements/notify";
import { cautionOf, oneOf } from "./caution";

export interface Wish {
  domain: string;
  service: string;
  data?: object;
  // Entities.
  ids: string | string[];
}

interface Manner {
  // The entity's name in the question, if there is one.
  name?: string;
  // Nothing is asked: it was asked already.
  asked?: boolean;
  // It brings back what was before another call.
  takesBack?: boolean;
}

const listed = (ids: string | string[]): string[] => (Array.isArray(ids) ? ids : [ids]);

// Resolves to whether all of it was done.
export async function act(home: Home, wishes: Wish[], { name, asked = false, takesBack = false }: Manner = {}): Promise<boolean> {
  const question = asked
    ? undefined
    : oneOf(wishes.flatMap(({ service, data, ids }) => listed(ids).map((id) => cautionOf(home, id, service, data, name))));
  if (question && !question.pin && !(await confirm(question))) return false;
  let end: () => void = () => undefined;
  const batch = wishes.length > 1 ? new Promise<void>((resolve) => (end = resolve)) : undefined;
  const call = ({ domain, service, data = {}, ids }: Wish) => home.call(domain, service, data, { entity_id: ids }, { takesBack, batch });
  return attempt(async () => {
    // One after the other: what follows may need what came before.
    for (const wish of wishes) await call(wish);
  }).finally(end);
}
