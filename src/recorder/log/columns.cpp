// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/columns.h"

#include <algorithm>

namespace hearth::recorder {

void ColumnWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
  bytes_ += static_cast<char>(value);
}

void ColumnWriter::text(std::string_view text) {
  number(text.size());
  bytes_ += text;
}

void ColumnWriter::column(std::span<const std::uint64_t> values) {
  if (values.empty()) return;
  const auto [least, greatest] = std::ranges::minmax(values);
  int width = 0;
  while (width < 8 && (greatest - least) >> (8 * width) != 0) ++width;
  number(least);
  number(static_cast<std::uint64_t>(width));
  for (int plane = 0; plane < width; ++plane) {
    for (const std::uint64_t value : values) bytes_ += static_cast<char>((value - least) >> (8 * plane));
  }
}

std::uint64_t TextTable::index(std::string_view text) {
  // Usually it is the very string of the time before.
  if (!texts_.empty() && texts_[last_].data() == text.data() && texts_[last_].size() == text.size()) return last_;
  const auto [place, added] = indexes_.try_emplace(text, texts_.size());
  if (added) texts_.push_back(text);
  return last_ = place->second;
}

void TextTable::write(ColumnWriter& out) const {
  out.number(texts_.size());
  for (const auto text : texts_) out.text(text);
}

bool ColumnReader::number(std::uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return false;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    const std::uint64_t bits = byte & 0x7F;
    if (shift == 63 && bits > 1) return false;
    value |= bits << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool ColumnReader::number(std::uint64_t& value, std::uint64_t max) {
  return number(value) && value <= max;
}

bool ColumnReader::text(std::string_view& text) {
  std::uint64_t size;
  if (!number(size) || size > rest_.size()) return false;
  text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool ColumnReader::texts(std::vector<std::string_view>& texts, std::size_t most) {
  std::uint64_t count;
  texts.clear();
  if (!number(count, most)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!text(texts.emplace_back())) return false;
  }
  return true;
}

bool ColumnReader::column(std::vector<std::uint64_t>& values, std::size_t count) {
  values.clear();
  if (count == 0) return true;
  std::uint64_t least, width;
  if (!number(least) || !number(width, 8) || (width > 0 && count > rest_.size() / width)) return false;
  values.assign(count, least);
  for (std::uint64_t plane = 0; plane < width; ++plane) {
    for (std::size_t i = 0; i < count; ++i) {
      values[i] += static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * plane);
    }
    rest_.remove_prefix(count);
  }
  return true;
}

}  // namespace hearth::recorder
