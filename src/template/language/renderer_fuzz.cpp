// SPDX-License-Identifier: Apache-2.0
// Whatever a template does, it ends within its limits, and does the same again; the value of a single expression
// prints as the expression does.
#include <chrono>

#include "base/clock.h"
#include "base/testing/fuzz_check.h"
#include "template/language/template.h"
#include "template/values/text.h"

namespace {

using namespace hearth;
using templates::FailureKind, templates::Value;

constexpr templates::Limits kLimits{.units = 60'000, .output_bytes = 16 * 1024, .milliseconds = 20'000};

templates::Variables variables() {
  const auto document = base::parse_json(
      R"({"temperature":21.5,"state":"ON","n":null,"b":true,"list":[1,2,3,"x"],"d":{"a":1,"b":{"c":"z"}},"text":"Häl"})");
  base::must(document.has_value(), "the document is JSON");
  return {{"value", Value("21.5")}, {"x", Value(5)}, {"value_json", Value::from_json(json::value(*document))}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = base::fuzz_text(data, size);
  const auto compiled = templates::Template::compile(text, kLimits);
  if (!compiled) return 0;
  static const templates::Variables given = variables();
  const base::ManualClock clock(base::Timestamp(std::chrono::seconds(1'795'600'000)));
  templates::Dependencies seen;
  templates::Environment environment{.clock = &clock, .limits = kLimits, .dependencies = &seen};
  const auto first = compiled->render(environment, given);
  if (first) {
    base::must(first->size() <= kLimits.output_bytes, "the result has at most so many bytes");
  } else {
    base::must(!first.error().message.empty(), "there is a reason");
  }
  if (seen.time) return 0;  // chance, or a clock
  const auto second = compiled->render(environment, given);
  base::must(first.has_value() == second.has_value(), "it does the same again");
  if (first) base::must_equal(*second, *first, "its result is the same");
  const auto value = compiled->evaluate(environment, given);
  const bool plain = value && (value->is_text() || value->is_number() || value->is_none());
  if (first && plain)
    base::must_equal(templates::trimmed(templates::to_text(*value)), *first, "its value prints as it does");
  return 0;
}
