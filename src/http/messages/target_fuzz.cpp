// SPDX-License-Identifier: Apache-2.0
// A request's target: an accepted one is plain text, no longer than the input, and the same in any other spelling.
#include <fmt/format.h>

#include "base/testing/fuzz_check.h"
#include "http/messages/target.h"

namespace {

using namespace hearth;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string description(const http::Target& target) {
  std::string out;
  for (std::size_t i = 0; i < target.size(); ++i) out += fmt::format("/{}\n", target.segment(i));
  for (const auto& [name, value] : target.query()) out += fmt::format("{}={}\n", name, value);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = base::fuzz_text(data, size);
  http::Target target;
  const auto parsed = target.parse(text);
  if (!parsed) {
    base::must(parsed.error().code == base::ErrorCode::invalid, "a bad target is the client's fault");
    base::must_be_plain(parsed.error().message, "the reason is plain text");
    return 0;
  }
  base::must(target.size() > 0, "there is a segment");
  base::must(target.authority().empty() == (text == "*" || text.starts_with('/')), "an absolute form names a host");
  std::size_t length = 0;
  std::string spelled;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const auto segment = target.segment(i);
    base::must_be_plain(segment, "a segment is plain text");
    base::must(segment != "..", "no segment leads up");
    length += segment.size();
    spelled += "/" + escaped(segment);
  }
  char separator = '?';
  for (const auto& [name, value] : target.query()) {
    base::must_be_plain(name, "a parameter's name is plain text");
    base::must_be_plain(value, "a parameter's value is plain text");
    length += name.size() + value.size();
    spelled += separator + escaped(name) + "=" + escaped(value);
    separator = '&';
    base::must(target.has_query(name), "a parameter is found");
  }
  base::must(length <= text.size(), "it is no larger than what came");

  http::Target other;
  base::must(other.parse("/left/over?from=before").has_value() && other.parse(spelled).has_value(),
             "its other spelling is taken");
  base::must_equal(description(other), description(target), "its other spelling is the same target");
  base::must(other.parse("http://host" + spelled).has_value(), "so is its absolute form");
  base::must_equal(description(other), description(target), "its absolute form is the same target");
  base::must_equal(other.authority(), "host", "its host is that of the absolute form");
  return 0;
}
