// SPDX-License-Identifier: Apache-2.0
// Blueprints: automations, scripts and template entities whose inputs each use fills in.
import type { Selector } from "../elements/selectors/selector";
import { blueprintWords, ours, spokenIn } from "../i18n/blueprint_words";
import type { Home } from "./home";

export const blueprintDomains = ["automation", "script", "template"] as const;
export type BlueprintDomain = (typeof blueprintDomains)[number];

export interface Metadata {
  name?: string;
  description?: string;
  author?: string;
  source_url?: string;
  domain?: string;
  input?: Record<string, unknown> | null;
}

export interface Blueprint {
  domain: BlueprintDomain;
  path: string;
  metadata: Metadata;
  // Why it cannot be read; empty if it can.
  error: string;
  // A part of the hub: nobody changes or deletes it.
  builtIn: boolean;
}

export interface Input {
  key: string;
  name: string;
  description: string;
  // Undefined if it has to be given.
  otherwise: unknown;
  selector: Selector | null;
}

// Inputs that stand together; without a name, those that stand alone.
export interface InputSection {
  name: string;
  description: string;
  isFolded: boolean;
  inputs: Input[];
}

// The hub's findings about a text before it is saved.
export interface Looked {
  suggested_filename: string;
  raw_data: string;
  blueprint: { metadata: Metadata; hash: string };
  exists: boolean;
  outdated: Outdated[];
}

// Items that would go on with the former version.
export interface Outdated {
  domain: string;
  item_id: string;
  name: string;
  error: string;
}

export interface BlueprintText {
  raw_data: string;
  hash: string;
  // Newest first.
  former: { raw_data: string; hash: string }[];
}

type Listed = Record<string, { metadata?: Metadata; error?: string; built_in?: boolean }>;

export async function readBlueprints(home: Home, domain: BlueprintDomain): Promise<Blueprint[]> {
  const [listed, words] = await Promise.all([home.command<Listed>("blueprint/list", { domain }), blueprintWords()]);
  return Object.entries(listed).map(([path, { metadata = {}, error = "", built_in: builtIn = false }]) => ({
    domain,
    path,
    metadata: metadata.author === ours ? spokenIn(metadata, words) : metadata,
    error,
    builtIn,
  }));
}

export function blueprintName({ metadata, path }: Pick<Blueprint, "metadata" | "path">): string {
  return textOf(metadata.name) || path;
}

// The entities of what uses it; those of templates are not known.
export async function usesOf(home: Home, { domain, path }: Pick<Blueprint, "domain" | "path">): Promise<string[]> {
  if (domain === "template") return [];
  const related = await home.command<Record<string, string[]>>("search/related", { item_type: `${domain}_blueprint`, item_id: path });
  return related[domain] ?? [];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function inputOf(key: string, written: unknown): Input {
  const about = isObject(written) ? written : {};
  return {
    key,
    name: textOf(about.name) || key,
    description: textOf(about.description),
    otherwise: "default" in about ? about.default : undefined,
    selector: isObject(about.selector) ? (about.selector as Selector) : null,
  };
}

export function sectionsOf({ input }: Metadata): InputSection[] {
  const alone: InputSection = { name: "", description: "", isFolded: false, inputs: [] };
  const sections: InputSection[] = [];
  for (const [key, written] of Object.entries(isObject(input) ? input : {})) {
    if (!isObject(written) || !("input" in written)) {
      alone.inputs.push(inputOf(key, written));
      continue;
    }
    const within = Object.entries(isObject(written.input) ? written.input : {});
    const inputs = within.map(([each, about]) => inputOf(each, about));
    sections.push({
      name: textOf(written.name) || key,
      description: textOf(written.description),
      isFolded: written.collapsed === true,
      inputs,
    });
  }
  return [alone, ...sections].filter(({ inputs }) => inputs.length > 0);
}

// The key of the input that the hub misses, in its own words; empty if it says something else.
export function missingInput(hub = ""): string {
  return /the input (\S+) is missing/.exec(hub)?.[1] ?? "";
}

export const inputsOf = (metadata: Metadata): Input[] => sectionsOf(metadata).flatMap(({ inputs }) => inputs);
