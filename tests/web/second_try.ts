// SPDX-License-Identifier: Apache-2.0
// A second try is for what waited in vain for a machine that is busy with other tests. All else counts at once, as in pytest's tests: the
// run fails even if the second try passes.
import type { FullResult, Reporter, TestCase, TestResult } from "@playwright/test/reporter";

const timeOut = /[Tt]imed? ?out|Timeout/;

export default class SecondTries implements Reporter {
  private readonly wrong: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.retry > 0 || result.status !== "failed") return;
    if (result.errors.every((error) => timeOut.test(error.message ?? ""))) return;
    this.wrong.push(`${test.titlePath().slice(2).join(" › ")}: ${result.errors[0]?.message ?? ""}`);
  }

  async onEnd(result: FullResult): Promise<{ status: FullResult["status"] } | undefined> {
    if (this.wrong.length === 0 || result.status !== "passed") return undefined;
    console.log(`Failed, and not by a time-out, before they passed:\n  ${this.wrong.join("\n  ")}`);
    return { status: "failed" };
  }

  printsToStdio(): boolean {
    return false;
  }
}
