// SPDX-License-Identifier: Apache-2.0
import { noChange, type ElementPart } from "lit";
import { Directive, directive, PartType, type PartInfo } from "lit/directive.js";

// Sets styles of an element from values: `<i ${styles({ background: colour })}></i>`. Lit's styleMap first writes a
// style attribute, which the pages' Content-Security-Policy forbids; this sets only the properties.
class Styles extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("styles() stands in a tag: <i ${styles({…})}>");
  }

  override update(part: ElementPart, [values]: [Record<string, string>]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value);
    return noChange;
  }

  render(_values: Record<string, string>): unknown {
    return noChange;
  }
}

export const styles = directive(Styles);
