// SPDX-License-Identifier: Apache-2.0
// How long the editor of an automation of many steps takes: until its sentences are there, for a key in the name, and for the worst frame
// while the page scrolls.
import { test } from "./fixtures";

for (const count of [50, 500, 10_000]) {
  test(`the sentences of ${count} steps`, async ({ open, startHub }) => {
    const hub = await startHub();
    const sequence = Array.from({ length: count }, (_, number) => ({
      action: "light.turn_on",
      target: { entity_id: "light.hall" },
      data: { brightness_pct: 1 + (number % 100) },
    }));
    await hub.rest("POST", "/api/config/script/config/long", { alias: "Long", sequence });
    const page = await open("/settings/automations/script.long?view=runs", { hub });
    await page.getByRole("link", { name: "YAML", exact: true }).click(); // what is fetched once is there
    await page.locator("hearth-yaml-editor").waitFor();
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    const measured = await page.evaluate(async () => {
      const find = (root: ParentNode, name: string): Element | undefined => {
        for (const element of root.querySelectorAll("*")) {
          if (element.localName === name) return element;
          const inner = element.shadowRoot && find(element.shadowRoot, name);
          if (inner) return inner;
        }
        return undefined;
      };
      const page = find(document, "hearth-automation-page")?.shadowRoot;
      const links = [...(page?.querySelector("hearth-tabs")?.shadowRoot?.querySelectorAll("a") ?? [])];
      const link = links.find((each) => !each.search.includes("view"));
      if (!link) throw new Error("There is no tab of sentences.");
      const longest: number[] = [0];
      new PerformanceObserver((list) => longest.push(...list.getEntries().map(({ duration }) => duration))).observe({
        entryTypes: ["longtask"],
      });
      const start = performance.now();
      link.click();
      while (!find(document, "hearth-sentence-row")?.shadowRoot?.querySelector(".row-box"))
        await new Promise((resume) => setTimeout(resume, 4));
      await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
      const seen = performance.now() - start;
      for (let still = 0, before = 0; still < 20; ) {
        await new Promise((resume) => setTimeout(resume, 50));
        still = longest.length === before ? still + 1 : 0;
        before = longest.length;
      }
      const opening = Math.max(...longest);
      longest.length = 1;
      const field = find(document, "hearth-sentence-editor")?.shadowRoot?.querySelector("input");
      let key = 0;
      for (const text of ["L", "Lo", "Lon", "Long", "Longe", "Longer"]) {
        const begun = performance.now();
        if (field) field.value = text;
        field?.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
        key = Math.max(key, performance.now() - begun);
      }
      await new Promise((resume) => setTimeout(resume, 1000));
      let frame = 0;
      for (let before = performance.now(), left = 200; left > 0; left -= 1) {
        window.scrollBy(0, 300);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        frame = Math.max(frame, now - before);
        before = now;
      }
      return { seen, longest: opening, key, frame };
    });
    const rounded = Object.entries(measured).map(([name, time]) => `${name} ${Math.round(time)} ms`);
    console.log(`${count} steps: ${rounded.join(", ")}`);
  });
}
