// SPDX-License-Identifier: Apache-2.0
// A range of addresses, as trusted proxies are listed: 192.168.1.0/24, fd00::/8, or one address. Immutable; any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace hearth::base {

class IpNetwork {
 public:
  // Null if the text is neither an address nor a network. A network with bits set beyond its prefix is refused.
  static std::optional<IpNetwork> parse(std::string_view text);

  // An IPv4 address matches also if it arrives mapped into IPv6, as dual-stack sockets show it.
  bool contains(const boost::asio::ip::address& address) const;
  std::string str() const;
  bool is_single() const { return prefix_ == (address_.is_v4() ? 32 : 128); }  // it has one address only
  bool operator==(const IpNetwork&) const = default;

 private:
  IpNetwork(boost::asio::ip::address address, unsigned short prefix) : address_(std::move(address)), prefix_(prefix) {}

  boost::asio::ip::address address_;
  unsigned short prefix_;
};

}  // namespace hearth::base
