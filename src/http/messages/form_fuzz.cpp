// SPDX-License-Identifier: Apache-2.0
// Parses a posted form: the first line is its Content-Type, the rest its body. Its fields are bounded plain text, and
// read back the same after being written in either encoding.
#include <fmt/format.h>

#include <set>

#include "base/testing/fuzz_check.h"
#include "http/messages/form.h"

namespace {

using namespace hearth;
using Fields = std::vector<std::pair<std::string, std::string>>;

std::string urlencoded(const Fields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) {
    if (!out.empty()) out += '&';
    for (const char c : name) out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    out += '=';
    for (const char c : value) out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return out;
}

std::string multipart(const Fields& fields, std::string_view boundary) {
  std::string out;
  for (const auto& [name, value] : fields) {
    out += fmt::format("--{}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n", boundary, name, value);
  }
  return out + fmt::format("--{}--\r\n", boundary);
}

bool fits_multipart(const Fields& fields, std::string_view boundary) {
  for (const auto& [name, value] : fields) {
    if (name.find_first_of("\"\\%") != std::string::npos || value.contains(boundary)) return false;
  }
  return !fields.empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = base::fuzz_text(data, size);
  const auto line = text.find('\n');
  if (line == std::string_view::npos) return 0;
  const auto form = http::Form::parse(text.substr(0, line), text.substr(line + 1));
  if (!form) {
    base::must(form.error().code == base::ErrorCode::invalid, "a bad form is the client's fault");
    base::must_be_plain(form.error().message, "the reason is plain text");
    return 0;
  }
  const Fields& fields = form->fields();
  base::must(fields.size() <= http::Form::kMaxFields, "fields are bounded");
  std::set<std::string_view> names;
  std::size_t length = 0;
  for (const auto& [name, value] : fields) {
    base::must(names.insert(name).second, "a field comes once");
    base::must_be_plain(name, "a field's name is plain text");
    base::must_be_plain(value, "a field's value is plain text");
    base::must(form->field(name) == std::string_view(value), "a field is found");
    length += name.size() + value.size();
  }
  base::must(length <= text.size(), "it is no larger than what came");

  const auto again = http::Form::parse("application/x-www-form-urlencoded", urlencoded(fields));
  base::must(again.has_value() && again->fields() == fields, "it comes back from a urlencoded form");
  constexpr std::string_view boundary = "----a7f3";
  if (!fits_multipart(fields, boundary)) return 0;
  const auto parts =
      http::Form::parse(fmt::format("multipart/form-data; boundary={}", boundary), multipart(fields, boundary));
  base::must(parts.has_value() && parts->fields() == fields, "it comes back from a multipart form");
  return 0;
}
