// SPDX-License-Identifier: Apache-2.0
import type { Hub } from "./hub";

export interface Call {
  service: string;
  data: Record<string, unknown>;
}

// What pages ask by themselves, without anybody having touched them.
const questions = new Set(["calendar.get_events", "todo.get_items", "weather.get_forecasts"]);

// Notes each service that is called in the home, whoever calls it; questions of the pages only if they are wanted.
export async function calls(hub: Hub, withQuestions = false): Promise<Call[]> {
  const noted: Call[] = [];
  const answer = await hub.fetch("GET", "/api/stream?restrict=call_service", undefined, hub.token("ann"));
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!answer.ok || !reader) throw new Error(`/api/stream: ${answer.status}`);
  const read = async () => {
    let text = "";
    for (;;) {
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true })); // the hub ends
      if (done) return;
      const lines = (text + value).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (!line.startsWith("data: {")) continue;
        const { domain, service, service_data } = JSON.parse(line.slice(6)).data;
        const call = { service: `${domain}.${service}`, data: service_data };
        if (withQuestions || !questions.has(call.service)) noted.push(call);
      }
    }
  };
  void read();
  return noted;
}
