// SPDX-License-Identifier: Apache-2.0
import type { Sample } from "../../api/history";

// RFC 4180
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(samples: Map<string, Sample[]>): string {
  const lines = ["entity_id,state,last_changed"];
  for (const [id, list] of samples) {
    for (const { time, state } of list) lines.push(`${field(id)},${field(state)},${new Date(time * 1000).toISOString()}`);
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
