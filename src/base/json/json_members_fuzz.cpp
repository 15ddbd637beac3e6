// SPDX-License-Identifier: Apache-2.0
// Compares JsonMembers with parse_json and write_json: same result, same text, same members.
#include "base/json/json_members.h"
#include "base/testing/fuzz_check.h"

namespace {

using namespace hearth;

void compare_member(const base::JsonMembers& members, std::string_view key, const json::value& value) {
  const std::string escaped = base::to_json(json::value(key));
  if (escaped.size() != key.size() + 2) return;  // find takes keys that need no escaping
  const auto found = members.find(key);
  base::must(found.has_value(), "each key is found");
  base::must_equal(found->json, base::to_json(value), "a member's text is that of its value");
  base::must(found->kind == value.kind(), "a member's kind is that of its value");
  if (value.is_string()) base::must_equal(found->text, value.get_string(), "a text says what it says");
  if (value.is_number()) {
    const auto digits = base::parse_json(found->text);
    base::must(digits && digits->is_number(), "the digits are a number");
    base::must_equal(base::to_json(*digits), found->json, "the digits are those of the number");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = base::fuzz_text(data, size);
  const auto value = base::parse_json(text);
  const auto members = base::JsonMembers::parse(text);
  base::must(value.has_value() == members.has_value(), "both take it or neither");
  if (!value) {
    base::must_equal(value.error().message, members.error().message, "both refuse it for the same reason");
    base::must(base::utf8_length(value.error().message).has_value(), "the reason is UTF-8");
    return 0;
  }
  const std::string written = base::to_json(*value);
  base::must_equal(members->json(), written, "both write the same text");
  base::must(members->kind() == value->kind(), "both are of one kind");
  if (const json::object* const object = value->if_object()) {
    for (const auto& [key, member] : *object) compare_member(*members, key, member);
  }
  const auto again = base::parse_json(written);
  base::must(again.has_value(), "what is written can be read");
  base::must_equal(base::to_json(*again), written, "and is written the same again");
  return 0;
}
