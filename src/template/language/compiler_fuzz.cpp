// SPDX-License-Identifier: Apache-2.0
// Any text compiles or fails: with a kind that a text can have, a reason, and a line that it has; the same each time.
#include <algorithm>

#include "base/testing/fuzz_check.h"
#include "template/language/template.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearth;
  using templates::FailureKind;
  const auto text = base::fuzz_text(data, size);
  const auto compiled = templates::Template::compile(text);
  if (compiled) return 0;
  const auto& failure = compiled.error();
  const FailureKind kind = failure.kind;
  base::must(!failure.message.empty(), "there is a reason");
  base::must(kind == FailureKind::syntax || kind == FailureKind::name || kind == FailureKind::limit,
             "it is of a kind that a text can have");
  // A carriage return ends a line, too.
  const auto lines = 1 + std::count_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
  base::must(failure.line >= 0 && failure.line <= lines, "the text has the line");
  const auto again = templates::Template::compile(text);
  base::must(!again && again.error().kind == kind && again.error().line == failure.line, "it fails the same again");
  return 0;
}
