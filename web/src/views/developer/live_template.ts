// SPDX-License-Identifier: Apache-2.0
import type { Home } from "../../api/home";

// The entities that a template looks at; it is rendered again when one of these changes.
export interface Listeners {
  all: boolean;
  domains: string[];
  entities: string[];
  time: boolean;
}

export type Rendering = { result: unknown; listeners: Listeners } | { error: string; line?: number | undefined };

type RenderEvent = { result: unknown; listeners: Listeners } | { error: string; line: number | null };

// Renders one template at a time in the hub, again and again; a new one takes the former one's place.
export class LiveTemplate {
  private current = 0;
  private stop: (() => Promise<void>) | undefined;

  constructor(
    private readonly home: Home,
    private readonly tell: (rendering: Rendering) => void,
  ) {}

  async render(template: string): Promise<void> {
    await this.end();
    const mine = this.current;
    try {
      const stop = await this.home.connection.subscribeMessage<RenderEvent>(
        (event) => {
          if (mine !== this.current) return;
          this.tell("error" in event ? { error: event.error, line: event.line ?? undefined } : event);
        },
        { type: "render_template", template, report_errors: true },
      );
      if (mine === this.current) this.stop = stop;
      else await stop().catch(() => undefined);
    } catch (error) {
      if (mine === this.current) this.tell(refusal(error));
    }
  }

  async end(): Promise<void> {
    this.current++;
    const stop = this.stop;
    this.stop = undefined;
    await stop?.().catch(() => undefined); // the hub may have forgotten it already
  }
}

// The hub refuses a template with a text that ends with its line: "unexpected '}' (line 3)".
export function refusal(error: unknown): Rendering {
  const text = (error as { message?: unknown } | null)?.message ?? error;
  const [, message, line] = /^(.*?)(?: \(line (\d+)\))?$/s.exec(String(text)) ?? [];
  return { error: message ?? "", line: line ? Number(line) : undefined };
}
