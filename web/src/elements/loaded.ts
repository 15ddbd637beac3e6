// SPDX-License-Identifier: Apache-2.0
const first = 1000;
const longest = 30_000;

// The result of `load`, which is retried at growing intervals (milliseconds) until it succeeds: for a part of the page
// that nobody waits for, while the hub or the network is down.
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  for (let wait = first; ; wait = Math.min(2 * wait, longest)) {
    try {
      return await load();
    } catch {
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
}
