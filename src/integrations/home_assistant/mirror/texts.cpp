// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/texts.h"

#include "base/text/utf8.h"
#include "core/registry/registry.h"

namespace hearth::integrations::home_assistant {

std::string fit(std::string_view text) {
  const auto length = base::utf8_length(text);
  if (length && *length <= core::Registry::kMaxTextLength) return std::string(text);
  constexpr std::size_t kEllipsis = 3;  // bytes
  return base::utf8_excerpt(length ? std::string(text) : base::utf8_repaired(text),
                            core::Registry::kMaxTextLength - kEllipsis);
}

base::OptionalText fitting(const base::OptionalText& text) {
  if (!text || text->empty()) return {};
  const auto length = base::utf8_length(*text);
  return length && *length <= core::Registry::kMaxTextLength ? text : base::OptionalText(fit(*text));
}

}  // namespace hearth::integrations::home_assistant
