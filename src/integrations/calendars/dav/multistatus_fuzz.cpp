// SPDX-License-Identifier: Apache-2.0
// Any bytes as the answer of a CalDAV server.
#include "base/testing/fuzz_check.h"
#include "integrations/calendars/dav/multistatus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = hearth::base;
  const auto read = hearth::integrations::calendars::parse_multistatus(base::fuzz_text(data, size));
  if (!read) {
    base::must_be_plain(read.error().message, "a message");
    return 0;
  }
  for (const auto& each : *read) {
    // libxml2 gives UTF-8 whatever the text's charset.
    for (const std::string& text :
         {each.href, each.name, each.ctag, each.etag, each.data, each.principal, each.home_set})
      base::must(base::utf8_length(text).has_value(), "UTF-8");
  }
  return 0;
}
