// SPDX-License-Identifier: Apache-2.0
// The inputs of a control.
import type { TemplateResult } from "lit";

import type { Home } from "../../api/home";
import type { Label } from "../../api/types";
import type { Options, Selector } from "./selector";

export interface Given {
  home: Home;
  label: string;
  selector: Selector | null | undefined;
  options: Options;
  value: unknown;
  // The text in a field in which somebody types.
  text: string;
  required: boolean;
  invalid: boolean;
  // The ids of what describes it.
  described: string;
  labels: Label[];
  // Undefined takes the value away.
  tell: (value: unknown, text?: string, problem?: string) => void;
}

export type Draw = (given: Given) => TemplateResult;
