// SPDX-License-Identifier: Apache-2.0
import { numberOf, type Sample } from "../../api/samples";
import { wallTime } from "../../i18n/wall_time";

export interface CsvSeries {
  id: string;
  name: string;
  unit: string;
  samples: Sample[];
}

// RFC 4180
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// `time` is by the clocks of the time zone, `last_changed` in UTC. Statistics have their least and greatest value beside the mean.
export function csvOf(series: CsvSeries[], timeZone: string): string {
  const means = series.some(({ samples }) => samples.some(({ low }) => low !== undefined));
  const lines = [`entity_id,name,state,unit,time,last_changed${means ? ",min,max" : ""}`];
  for (const { id, name, unit, samples } of series) {
    for (const { time, state, low = "", high = "" } of samples) {
      const seconds = String(Math.floor(time) % 60).padStart(2, "0");
      const local = `${wallTime(time, timeZone).replace("T", " ")}:${seconds}`;
      const own = [id, name, state, numberOf(state) === undefined ? "" : unit, local, new Date(time * 1000).toISOString()].map(field);
      lines.push([...own, ...(means ? [low, high] : [])].join(","));
    }
  }
  return `${lines.join("\r\n")}\r\n`;
}
