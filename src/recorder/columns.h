// SPDX-License-Identifier: Apache-2.0
// Columns of whole numbers and texts as bytes that compress well. The reader checks every bound: whatever the bytes
// are, it answers false and reads nothing outside them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::recorder {

class ColumnWriter {
 public:
  void number(std::uint64_t value);  // 7 bits a byte, lowest first
  void text(std::string_view text);
  // The least of them, and of what each is above it as many bytes as the greatest needs: all first bytes, then all
  // second ones, so that those which are alike stand together.
  void column(std::span<const std::uint64_t> values);

  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : rest_(bytes) {}

  bool number(std::uint64_t& value);
  // At most `max`.
  bool number(std::uint64_t& value, std::uint64_t max);
  // A view into the bytes.
  bool text(std::string_view& text);
  // `count` of them.
  bool column(std::vector<std::uint64_t>& values, std::size_t count);
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// Small numbers of either sign become small ones without.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace hearth::recorder
