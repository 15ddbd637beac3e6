// SPDX-License-Identifier: Apache-2.0
import type { Sample } from "../../api/samples";

// RFC 4180
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Statistics have their least and greatest value beside the mean.
export function csvOf(samples: Map<string, Sample[]>): string {
  const means = [...samples.values()].some((list) => list.some(({ low }) => low !== undefined));
  const lines = [`entity_id,state,last_changed${means ? ",min,max" : ""}`];
  for (const [id, list] of samples) {
    for (const { time, state, low = "", high = "" } of list) {
      const range = means ? `,${low},${high}` : "";
      lines.push(`${field(id)},${field(state)},${new Date(time * 1000).toISOString()}${range}`);
    }
  }
  return `${lines.join("\r\n")}\r\n`;
}

export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
