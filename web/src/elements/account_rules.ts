// SPDX-License-Identifier: Apache-2.0
// What the hub accepts as names and passwords, said before it has to refuse.
import { t } from "../i18n/catalogue";
import { FieldProblems, type Values } from "./form";

// Code points, bytes of UTF-8, and code points again.
const longestName = 64;
const longestPassword = 1024;
const shortestPassword = 8;

function nameProblem(name: string): string | undefined {
  if ([...name].length > longestName) return t("account.nameTooLong", { most: longestName });
  if (/\p{Cc}/u.test(name)) return t("account.nameControl");
  return undefined;
}

// What is said beside the field for a new password.
export function passwordHint(): string {
  return t("account.passwordHint", { least: shortestPassword });
}

// Throws FieldProblems for the fields that would be refused: name, username, password, and confirm where it is not the same.
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

// What somebody of this name might log in with: "Jörg van Dyk" → "jorg".
export function usernameFor(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
  const [first = ""] = plain.split(/\s+/);
  return first.replace(/[^\p{L}\p{N}._-]/gu, "").slice(0, longestName);
}
