// SPDX-License-Identifier: Apache-2.0
// The CRC-16 with the polynomial x^16 + x^15 + x^2 + 1, lowest bit first. It begins with 0 in telegrams of meters (P1),
// and with 0xFFFF in Modbus RTU. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace hearth::base {

constexpr std::uint16_t crc16(std::string_view bytes, std::uint16_t start) {
  unsigned crc = start;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1U) ^ 0xA001U : crc >> 1U;
  }
  return static_cast<std::uint16_t>(crc);
}

}  // namespace hearth::base
