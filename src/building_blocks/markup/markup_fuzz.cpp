// SPDX-License-Identifier: Apache-2.0
// Selectors of the configuration, pages and XML of strangers: the text before the first zero byte is the selector.
#include <cstdint>

#include "base/text/utf8.h"
#include "building_blocks/markup/selector.h"
#include "building_blocks/markup/xml_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hearth::building_blocks;
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\0'), size);
  const std::string text = hearth::base::utf8_repaired(all.substr(std::min(end + 1, size)));
  if (const auto json = json_of_xml(text)) hearth::base::to_json(*json);
  const auto selector = Selector::parse(all.substr(0, end));
  const auto page = Document::parse_html(text);
  if (!selector || !page) return 0;
  for (const std::int64_t index : {0, 3, -1}) {
    if (const xmlNode* const found = selector->find(*page, index)) text_within(*found);
  }
  return 0;
}
