// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/protocol/telegram_reader.h"

namespace hearth::integrations::dsmr {

void TelegramReader::put(std::string_view bytes, const std::function<void(std::string_view)>& found) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const std::size_t size = end == std::string_view::npos ? bytes.size() : end + 1;
    put_part(bytes.substr(0, size), found);
    bytes.remove_prefix(size);
  }
}

void TelegramReader::put_part(std::string_view part, const std::function<void(std::string_view)>& found) {
  const bool ends_line = part.ends_with('\n');
  if (at_line_start_ && part.front() == '/') {
    if (inside_) ++cut_;
    text_.clear();
    inside_ = true;
    ending_ = false;
  } else if (at_line_start_ && part.front() == '!') {
    ending_ = inside_;
  }
  at_line_start_ = ends_line;
  if (!inside_) return;
  if (text_.size() + part.size() > kMaxTelegram) {
    ++too_long_;
    const bool line_over = at_line_start_;
    reset();
    at_line_start_ = line_over;
    return;
  }
  text_ += part;
  if (!ends_line || !ending_) return;
  inside_ = ending_ = false;
  found(text_);
}

void TelegramReader::reset() {
  text_ = {};
  inside_ = ending_ = false;
  at_line_start_ = true;
}

}  // namespace hearth::integrations::dsmr
