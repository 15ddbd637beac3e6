// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/protocol/messages.h"

#include <algorithm>

namespace hearth::integrations::esphome {

std::string clean_text(std::string_view bytes, std::size_t max) {
  constexpr std::size_t ellipsis = std::string_view("…").size();
  std::string text = base::utf8_repaired(bytes.substr(0, max + 1));
  if (text.size() > max) text = base::utf8_excerpt(text, max - ellipsis);
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return text;
}

}  // namespace hearth::integrations::esphome
