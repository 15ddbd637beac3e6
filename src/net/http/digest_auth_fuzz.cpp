// SPDX-License-Identifier: Apache-2.0
// Any WWW-Authenticate fields, one a line, as a server may send them: the answer is one line, and each quoted value
// that it echoes can be read back.
#include <vector>

#include "base/testing/fuzz_check.h"
#include "net/http/digest_auth.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = hearth::base;
  using namespace hearth::net;
  std::string_view rest = base::fuzz_text(data, size);
  std::vector<std::string_view> fields;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    fields.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto challenge = parse_digest_challenges(fields);
  if (!challenge) return 0;
  base::must(challenge->realm.size() + challenge->nonce.size() <= size, "a challenge has come");
  const std::string answer = answer_digest(
      *challenge, {.method = "GET", .target = "/", .user = "ann", .password = "secret", .client_nonce = "c"});
  for (const char c : answer) base::must(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "one line");
  const auto again = parse_digest_challenges({answer});
  base::must(again.has_value(), "an answer has the form of a challenge");
  const auto plain = [](std::string text) {
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    return text;
  };
  base::must_equal(again->realm, plain(challenge->realm), "the realm");
  base::must_equal(again->nonce, plain(challenge->nonce), "the nonce");
  return 0;
}
