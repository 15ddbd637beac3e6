// SPDX-License-Identifier: Apache-2.0
// Wakes a machine by a packet to its network card. Any thread; does not wait.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::building_blocks {

using Mac = std::array<unsigned char, 6>;

struct WakeTarget {
  static constexpr std::string_view kEverybody = "255.255.255.255";

  Mac mac{};
  std::string address{kEverybody};  // in digits; of the network, or of one host
  int port = 9;
};

// Twelve hexadecimal digits, perhaps with : or - between each two, or . between each four.
std::optional<Mac> parse_mac(std::string_view text);
// True for an IPv4 address in digits.
bool is_broadcast_address(std::string_view text);

// The packet's bytes: six of 255, and 16 times the address.
std::string magic_packet(const Mac& mac);
// Fails with unavailable if the system refuses to send it.
base::Result<void> send_magic_packet(const WakeTarget& target);

}  // namespace hearth::building_blocks
