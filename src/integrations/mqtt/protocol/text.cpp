// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/text.h"

#include <fmt/format.h>

#include "base/text/utf8.h"
#include "core/mqtt.h"

namespace hearth::integrations::mqtt {
namespace {

std::string quoted_part(std::string_view text) {
  return base::utf8_excerpt(base::utf8_repaired(text), 200);
}

// Of UTF-8 that is valid: U+0080 to U+009F, U+FDD0 to U+FDEF, and U+FFFE and U+FFFF of each plane.
bool has_forbidden_character(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char first = at(i);
    if (first < 0x20 || first == 0x7F) return true;
    if (first == 0xC2 && at(i + 1) < 0xA0) return true;
    if (first == 0xEF && at(i + 1) == 0xB7 && at(i + 2) >= 0x90 && at(i + 2) <= 0xAF) return true;
    if (first == 0xEF && at(i + 1) == 0xBF && at(i + 2) >= 0xBE) return true;
    if (first >= 0xF0 && (at(i + 1) & 0x0F) == 0x0F && at(i + 2) == 0xBF && at(i + 3) >= 0xBE) return true;
  }
  return false;
}

}  // namespace

bool is_received_text(std::string_view text) {
  return text.find('\0') == std::string_view::npos && base::utf8_length(text).has_value();
}

bool is_sent_text(std::string_view text) {
  return text.size() <= kMaxTextBytes && base::utf8_length(text).has_value() && !has_forbidden_character(text);
}

base::Result<void> check_filter(std::string_view filter) {
  if (!filter.empty() && is_sent_text(filter) && core::is_topic_filter(filter)) return {};
  return base::fail(
      base::ErrorCode::invalid,
      fmt::format("expected a topic filter of 1 to 65535 bytes such as home/+/state or home/#, in which + and # stand "
                  "alone between slashes and # is the last, found \"{}\"",
                  quoted_part(filter)));
}

base::Result<void> check_topic(std::string_view topic) {
  if (!topic.empty() && is_sent_text(topic) && topic.find_first_of("+#") == std::string_view::npos) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("expected a topic of 1 to 65535 bytes without + and #, found "
                                                          "\"{}\"",
                                                          quoted_part(topic)));
}

base::Result<void> check_qos(std::int64_t qos) {
  if (qos >= 0 && qos <= core::MqttBroker::kMaxQos) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("expected a quality of service of 0, 1 or 2, found {}", qos));
}

}  // namespace hearth::integrations::mqtt
