// SPDX-License-Identifier: Apache-2.0
// Any TXT entries, one a line, and names, as strangers announce them: clean texts within their bounds.
#include <vector>

#include "base/testing/fuzz_check.h"
#include "net/mdns/instance.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = hearth::base;
  std::string_view rest = base::fuzz_text(data, size);
  const std::string name = hearth::net::clean_text(rest, 63);
  base::must(name.size() <= 63, "a short name");
  base::must_be_plain(name, "a name");
  std::vector<std::string_view> entries;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('\n'), rest.size());
    entries.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : hearth::net::parse_txt(entries)) {
    base::must_be_plain(key, "a key");
    base::must_be_plain(value, "a value");
    base::must(!key.empty() && !key.contains('='), "a key");
    bytes += key.size();
  }
  base::must(bytes <= hearth::net::kMaxTxtBytes, "no more than there may be");
  return 0;
}
