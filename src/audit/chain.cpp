// SPDX-License-Identifier: Apache-2.0
#include "audit/chain.h"

#include <fmt/format.h>

#include <charconv>

#include "base/digest.h"

namespace hearth::audit {

std::string hash_of(const Row& row, std::string_view hash_before) {
  base::Digest digest;
  digest.add(hash_before);
  const auto add = [&](std::string_view text) {
    digest.add(fmt::format("{}:", text.size()));
    digest.add(text);
    digest.add(",");
  };
  add(fmt::format("{}", row.number));
  add(fmt::format("{}", row.time.time_since_epoch().count()));
  add(fmt::format("{}", row.entry.count));
  const Entry& entry = row.entry;
  for (const std::string* text : {&entry.what, &entry.subject, &entry.user_id, &entry.user, &entry.address,
                                  &entry.client, &entry.before, &entry.after})
    add(*text);
  return digest.hex();
}

std::string to_string(const Head& head) {
  return fmt::format("{}:{}", head.number, head.hash);
}

base::Result<Head> parse_head(std::string_view text) {
  Head head;
  const auto colon = text.find(':');
  const std::string_view number = text.substr(0, colon);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), head.number);
  head.hash = colon == text.npos ? std::string() : std::string(text.substr(colon + 1));
  const bool good = error == std::errc() && end == number.data() + number.size() && head.number >= 0 &&
                    head.hash.size() == base::Digest::kHexLength &&
                    head.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (good) return head;
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("\"{}\" is no head of an audit log: expected number:hash, as hearth audit verify "
                                "prints it",
                                text.substr(0, 100)));
}

}  // namespace hearth::audit
