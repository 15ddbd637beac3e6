// SPDX-License-Identifier: Apache-2.0
// The name of a client for people, by its User-Agent: "Firefox", "Android". Browsers name others, too, to be taken for them; so the
// first that matches counts.

const programs: [RegExp, string][] = [
  [/Home Assistant/, "Home Assistant"],
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Vivaldi\//, "Vivaldi"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/DuckDuckGo\//, "DuckDuckGo"],
  [/YaBrowser\//, "Yandex"],
  [/FxiOS\/|Firefox\//, "Firefox"],
  [/CriOS\/|HeadlessChrome\/|Chrome\//, "Chrome"],
  [/Epiphany\//, "Web"],
  [/Version\/.*Safari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^python|aiohttp|httpx/i, "Python"],
  [/^node|undici|axios/i, "Node.js"],
];

const systems: [RegExp, string][] = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X|Darwin/, "macOS"],
  [/Linux|X11/, "Linux"],
];

function first(table: [RegExp, string][], text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}

// Undefined what the text does not tell.
export function clientOf(userAgent: string): { program: string | undefined; system: string | undefined } {
  return { program: first(programs, userAgent), system: first(systems, userAgent) };
}
