// SPDX-License-Identifier: Apache-2.0
// One subscriber on the network: an IPv4 address, or the first 64 bits of an IPv6 address, the smallest network that a
// subscriber has. Any thread.
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <compare>
#include <cstdint>
#include <string>

namespace hearth::base {

using Address = boost::asio::ip::address;

// An IPv4 address that arrived as IPv6 (::ffff:0:0/96) as IPv4; any other address unchanged.
Address unmapped(const Address& address);

class AddressPrefix {
 public:
  explicit AddressPrefix(const Address& address);

  // `192.0.2.1` or `2001:db8::/64`.
  std::string str() const;

  auto operator<=>(const AddressPrefix&) const = default;

 private:
  std::array<std::uint8_t, 16> bytes_;  // IPv4 mapped into IPv6
};

}  // namespace hearth::base
