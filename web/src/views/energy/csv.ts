// SPDX-License-Identifier: Apache-2.0
// The page Energy as a table for other programs: a line for each bar and meter, device, or the rest.
import type { EnergyReport } from "../../api/energy";
import { wallTime } from "../../i18n/wall_time";

// RFC 4180. What a spreadsheet would take for a formula is a text.
function field(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

// `time` is the start of the bar by the clocks of the time zone, `start` the same in UTC.
export function energyCsv(
  report: EnergyReport,
  timeZone: string,
  nameOf: (line: { statistic_id: string; name: string | null }) => string,
): string {
  const lines = ["time,start,kind,statistic_id,name,amount,unit,cost,currency"];
  const add = (kind: string, id: string, name: string, unit: string, values: number[], costs?: number[]): void => {
    report.bars.forEach((bar, index) => {
      const cost = costs ? String(costs[index] ?? 0) : "";
      const texts = [kind, id, name].map(field);
      const local = wallTime(bar / 1000, timeZone).replace("T", " ");
      const numbers = [String(values[index] ?? 0), unit, cost, costs ? report.currency : ""];
      lines.push([local, new Date(bar).toISOString(), ...texts, ...numbers].join(","));
    });
  };
  for (const meter of report.meters) add(meter.role, meter.statistic_id, nameOf(meter), meter.unit, meter.values, meter.cost?.values);
  if (report.used.total > 0) add("used", "", "", "kWh", report.used.values);
  for (const device of report.devices) add("device", device.statistic_id, nameOf(device), device.unit, device.values);
  if (report.devices.length > 0) add("other", "", "", "kWh", report.other.values);
  for (const device of report.water_devices) add("water_device", device.statistic_id, nameOf(device), device.unit, device.values);
  if (report.water_devices.length > 0) add("other_water", "", "", "m³", report.other_water.values);
  return `${lines.join("\r\n")}\r\n`;
}
