// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/hosts/magic_packet.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/threads/descriptor.h"

namespace hearth::building_blocks {

std::optional<Mac> parse_mac(std::string_view text) {
  constexpr std::size_t kDigits = 12;
  std::string digits;
  for (const char c : text) {
    if (std::isxdigit(static_cast<unsigned char>(c)))
      digits += c;
    else if (c != ':' && c != '-' && c != '.')
      return {};
  }
  const std::size_t separators = text.size() - digits.size();
  if (digits.size() != kDigits || (separators != 0 && separators != 5 && separators != 2)) return {};
  // Each group but for its separator has as many digits as the first.
  const std::size_t group = separators == 0 ? kDigits : kDigits / (separators + 1);
  for (std::size_t at = group; separators != 0 && at < text.size(); at += group + 1) {
    if (text[at] != text[group] || std::isxdigit(static_cast<unsigned char>(text[at]))) return {};
  }
  Mac mac{};
  for (std::size_t index = 0; index < mac.size(); ++index)
    std::from_chars(digits.data() + index * 2, digits.data() + index * 2 + 2, mac[index], 16);
  return mac;
}

bool is_broadcast_address(std::string_view text) {
  in_addr address{};
  return ::inet_pton(AF_INET, std::string(text).c_str(), &address) == 1;
}

std::string magic_packet(const Mac& mac) {
  constexpr int kTimes = 16;
  std::string packet(6, '\xFF');
  for (int time = 0; time < kTimes; ++time) packet.append(mac.begin(), mac.end());
  return packet;
}

base::Result<void> send_magic_packet(const WakeTarget& target) {
  const auto failed = [&] {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("the packet cannot be sent to {}: {}", target.address, std::strerror(errno)));
  };
  const base::Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return failed();
  const int on = 1;
  if (::setsockopt(socket.number(), SOL_SOCKET, SO_BROADCAST, &on, sizeof on) != 0) return failed();
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(target.port));
  ::inet_pton(AF_INET, target.address.c_str(), &to.sin_addr);
  const std::string packet = magic_packet(target.mac);
  const ssize_t sent = ::sendto(socket.number(), packet.data(), packet.size(), MSG_DONTWAIT,
                                reinterpret_cast<const sockaddr*>(&to), sizeof to);
  if (sent != static_cast<ssize_t>(packet.size())) return failed();
  return {};
}

}  // namespace hearth::building_blocks
