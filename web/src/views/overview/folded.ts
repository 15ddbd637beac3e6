// SPDX-License-Identifier: Apache-2.0
// Which rooms are folded on this browser's overview.
const key = "hearth.folded";
// Areas that were deleted since may be among them.
const most = 200;

export function foldedRooms(): Set<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((id): id is string => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

export function keepFolded(rooms: Set<string>): void {
  localStorage.setItem(key, JSON.stringify([...rooms].slice(-most)));
}
