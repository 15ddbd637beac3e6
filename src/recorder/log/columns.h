// SPDX-License-Identifier: Apache-2.0
// Serialises columns of integers and strings as bytes that compress well. The reader checks every bound: for any bytes,
// it returns false and never reads outside them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hearth::recorder {

class ColumnWriter {
 public:
  void number(std::uint64_t value);  // varint: 7 bits a byte, lowest first
  void text(std::string_view text);
  // The minimum, then each value's difference from it in as many bytes as the largest needs: first all first bytes,
  // then all second ones, and so on, so that similar bytes are adjacent.
  void column(std::span<const std::uint64_t> values);

  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Texts, each once, by the order in which they come; they are views and must outlive it.
class TextTable {
 public:
  std::uint64_t index(std::string_view text);
  void write(ColumnWriter& out) const;

 private:
  std::unordered_map<std::string_view, std::uint64_t> indexes_;
  std::vector<std::string_view> texts_;
  std::uint64_t last_ = 0;  // index
};

class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : rest_(bytes) {}

  bool number(std::uint64_t& value);
  // A number up to `max`.
  bool number(std::uint64_t& value, std::uint64_t max);
  // A view into the bytes.
  bool text(std::string_view& text);
  // A TextTable of at most `most` texts, as views into the bytes.
  bool texts(std::vector<std::string_view>& texts, std::size_t most);
  // Exactly `count` numbers.
  bool column(std::vector<std::uint64_t>& values, std::size_t count);
  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

// Maps small signed numbers to small unsigned ones.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace hearth::recorder
