// SPDX-License-Identifier: Apache-2.0
// Reads the data types of MQTT (MQTT 5 §1.5) from bytes that anybody may have sent. After a failure all reads fail.
#pragma once

#include <cstdint>
#include <string_view>

namespace hearth::integrations::mqtt {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  std::size_t left() const { return bytes_.size(); }

  // 0, or an empty text, after a failure.
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t two_bytes() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t four_bytes() { return number(4); }
  // Of at most four bytes.
  std::uint32_t variable() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint32_t>(part & 0x7F) << shift;
      if (part < 0x80) return failed_ ? 0 : value;
    }
    failed_ = true;
    return 0;
  }
  // With two bytes before it that have its length.
  std::string_view text() { return next(two_bytes()); }
  std::string_view next(std::size_t size) {
    if (failed_ || size > bytes_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }
  std::string_view rest() { return next(bytes_.size()); }

 private:
  std::uint32_t number(std::size_t size) {
    std::uint32_t value = 0;
    for (const char part : next(size)) value = value << 8 | static_cast<unsigned char>(part);
    return value;
  }

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace hearth::integrations::mqtt
