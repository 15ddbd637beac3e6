// SPDX-License-Identifier: Apache-2.0
// Any address that a person writes, and any Location that a server sends: what is taken can be sent as a request line
// and a Host field, and is the same when it is read again.
#include "base/testing/fuzz_check.h"
#include "net/http/url.h"

namespace {

void must_be_url(const std::expected<hearth::net::Url, hearth::net::Failure>& url) {
  namespace base = hearth::base;
  if (!url) return base::must_be_plain(url.error().message, "a message");
  base::must(url->port != 0 && !url->host.empty(), "a host and a port");
  base::must(url->target.starts_with('/'), "a path");
  for (const char c : url->target + url->authority())
    base::must(static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7F,
               "nothing splits a request");
  const auto again = hearth::net::parse_url(url->str());
  if (!again) return base::must(url->str().size() > hearth::net::Url::kMaxLength, "it can be read again");
  base::must_equal(again->str(), url->str(), "it is the same again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hearth::base::fuzz_text(data, size);
  const auto line_end = std::min(text.find('\n'), text.size());
  const auto url = hearth::net::parse_url(text.substr(0, line_end));
  must_be_url(url);
  const auto base = url ? url : hearth::net::parse_url("http://host:81/a/b?c");
  const auto next = hearth::net::resolve_url(*base, text.substr(std::min(line_end + 1, text.size())));
  must_be_url(next);
  if (next) hearth::base::must(next->user.empty() && next->password.empty(), "nobody's password");
  return 0;
}
