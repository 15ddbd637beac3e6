// SPDX-License-Identifier: Apache-2.0
// Checks names and passwords as the hub does, before they are sent.
import { t } from "../i18n/catalogue";
import { FieldProblems, type Values } from "./form";

// In code points, bytes of UTF-8, and code points.
const longestName = 64;
const longestPassword = 1024;
const shortestPassword = 8;

function nameProblem(name: string): string | undefined {
  if ([...name].length > longestName) return t("account.nameTooLong", { most: longestName });
  if (/\p{Cc}/u.test(name)) return t("account.nameControl");
  return undefined;
}

// The hint beside the field for a new password.
export function passwordHint(): string {
  return t("account.passwordHint", { least: shortestPassword });
}

// Throws FieldProblems for the fields that the hub would refuse: name, username and password, and for confirm if it
// differs.
export function checkAccount(values: Values): void {
  const problems: Values = {};
  for (const field of ["name", "username"]) {
    const problem = nameProblem(values[field] ?? "");
    if (problem) problems[field] = problem;
  }
  const { password, confirm } = values;
  if (password !== undefined && [...password].length < shortestPassword) {
    problems.password = t("account.passwordTooShort", { least: shortestPassword });
  } else if (new TextEncoder().encode(password).length > longestPassword) problems.password = t("account.passwordTooLong");
  else if (confirm !== undefined && confirm !== password) problems.confirm = t("account.mismatch");
  if (Object.keys(problems).length > 0) throw new FieldProblems(problems);
}

// Proposes a username for a name: "Jörg van Dyk" → "jorg".
export function usernameFor(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
  const [first = ""] = plain.split(/\s+/);
  return first.replace(/[^\p{L}\p{N}._-]/gu, "").slice(0, longestName);
}
