// SPDX-License-Identifier: Apache-2.0
// Former states, as the hub recorded them.
import { attributeNumbers, hasNumbers } from "./attribute_numbers";
import { isCommandError } from "./errors";
import type { Home } from "./home";
import { measures, type Sample } from "./samples";
import type { Attributes } from "./types";

interface Row {
  s: string;
  a?: Attributes;
  lu: number;
  lc?: number;
}

interface Period {
  // Milliseconds since 1970.
  start: number;
  end: number;
  mean?: number;
  min?: number;
  max?: number;
  // Of totals, which have no mean.
  state?: number;
}

type PeriodName = "5minute" | "hour" | "day";

const day = 86400;
// Of a longer span than this what is measured is told in statistics, in seconds; and what is older than the states that the hub has
// kept is told so, too, where it is more than this.
const longest = 10 * day;
const gap = 60;
// How long a period of the statistics is for which span, so that a curve has at most some thousand points.
const periods: [most: number, name: PeriodName][] = [
  [longest, "5minute"],
  [100 * day, "hour"],
  [Infinity, "day"],
];

const isId = /^[a-z0-9_]+\.[a-z0-9_]+$/;

// The states of entities between two times in seconds since 1970, oldest first; the first of each is the one that held at `start`. An
// entity of which nothing was recorded is not in the map.
export async function history(home: Home, ids: string[], start: number, end: number): Promise<Map<string, Sample[]>> {
  const valid = ids.filter((id) => isId.test(id));
  const measured = valid.filter((id) => measures(home.entity(id)));
  if (end - start > longest) {
    const others = valid.filter((id) => !measured.includes(id));
    const [means, states] = await Promise.all([statistics(home, measured, start, end), recorded(home, others, start, end)]);
    return new Map([...means, ...states]);
  }
  const states = await recorded(home, valid, start, end);
  // Of the period in which the states begin nothing is known but what they say.
  const firstOf = (id: string) => states.get(id)?.[0]?.time ?? end;
  const begin = (id: string) => Math.floor(firstOf(id) / 300) * 300;
  const late = measured.filter((id) => firstOf(id) > start + gap);
  for (const [id, means] of await statistics(home, late, start, Math.max(start, ...late.map(begin)))) {
    const until = begin(id);
    states.set(id, [...means.filter(({ time }) => time < until), ...(states.get(id) ?? [])]);
  }
  return states;
}

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

// Change by change, with the numbers among the attributes of those that have any. What is too much is asked for with less.
async function recorded(home: Home, ids: string[], start: number, end: number): Promise<Map<string, Sample[]>> {
  const detailed = ids.filter(hasNumbers);
  const parts = await Promise.all([
    changes(
      home,
      ids.filter((id) => !hasNumbers(id)),
      start,
      end,
      false,
    ),
    changes(home, detailed, start, end, true),
  ]);
  return new Map(parts.flatMap((part) => [...part]));
}

async function changes(home: Home, ids: string[], start: number, end: number, numbers: boolean): Promise<Map<string, Sample[]>> {
  if (ids.length === 0) return new Map();
  let answer: Record<string, Row[]>;
  try {
    answer = await home.command("history/history_during_period", {
      start_time: iso(start),
      end_time: iso(end),
      entity_ids: ids,
      minimal_response: !numbers,
      no_attributes: !numbers,
      significant_changes_only: !numbers,
    });
  } catch (error) {
    // The hub refuses to answer more than it can send at once.
    if (!isCommandError(error) || error.code !== "invalid_format") throw error;
    const [only] = ids;
    const last = ids.length === 1 && !numbers;
    if (last && !measures(home.entity(only as string))) throw error;
    const parts = ids.map((id) =>
      measures(home.entity(id)) ? statistics(home, [id], start, end) : changes(home, [id], start, end, numbers && ids.length > 1),
    );
    return new Map((await Promise.all(parts)).flatMap((part) => [...part]));
  }
  const samples = new Map<string, Sample[]>();
  for (const [id, rows] of Object.entries(answer)) {
    if (rows.length > 0)
      samples.set(
        id,
        rows.map((row) => sampleOf(id, row, start, numbers)),
      );
  }
  return samples;
}

function sampleOf(id: string, { s, a = {}, lu, lc }: Row, start: number, numbers: boolean): Sample {
  const found = numbers ? attributeNumbers(id, a) : undefined;
  // A number changes when the entity was updated, a state alone when it changed.
  return { time: Math.max(start, found ? lu : (lc ?? lu)), state: s, ...(found && { numbers: found }) };
}

// Mean, least and greatest of each period; of totals what they had come to. Where nothing was measured there is a gap.
async function statistics(home: Home, ids: string[], start: number, end: number): Promise<Map<string, Sample[]>> {
  if (ids.length === 0) return new Map();
  const [, period] = periods.find(([most]) => end - start <= most) as [number, PeriodName];
  const answer = await home.command<Record<string, Period[]>>("recorder/statistics_during_period", {
    start_time: iso(start),
    end_time: iso(end),
    statistic_ids: ids,
    period,
    types: ["mean", "min", "max", "state"],
  });
  const samples = new Map<string, Sample[]>();
  for (const [id, list] of Object.entries(answer)) {
    const own: Sample[] = [];
    let last = Infinity;
    for (const { start: from, end: to, mean, min, max, state } of list) {
      if (from > last) own.push({ time: last / 1000, state: "unavailable" });
      last = to;
      const sample = { time: Math.max(start, from / 1000), state: String(rounded(mean ?? state ?? NaN, mean === undefined ? 12 : 6)) };
      own.push(min === undefined || max === undefined ? sample : { ...sample, low: rounded(min, 12), high: rounded(max, 12) });
    }
    if (last / 1000 < end) own.push({ time: last / 1000, state: "unavailable" });
    if (own.length > 0) samples.set(id, own);
  }
  return samples;
}

// A mean has more digits than what was measured.
function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
