// SPDX-License-Identifier: Apache-2.0
#include "base/net/ip_network.h"

#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <charconv>

#include "base/net/address_prefix.h"

namespace hearth::base {
namespace {

namespace ip = boost::asio::ip;

// The first address of the network with this address and prefix length.
ip::address first_address(const ip::address& address, unsigned short prefix) {
  if (address.is_v4()) return ip::network_v4(address.to_v4(), prefix).network();
  return ip::network_v6(address.to_v6(), prefix).network();
}

}  // namespace

std::optional<IpNetwork> IpNetwork::parse(std::string_view text) {
  const auto slash = text.find('/');
  boost::system::error_code error;
  const ip::address address = ip::make_address(text.substr(0, slash), error);
  if (error || (address.is_v6() && address.to_v6().scope_id() != 0)) return {};
  const unsigned short bits = address.is_v4() ? 32 : 128;
  unsigned short prefix = bits;
  if (slash != std::string_view::npos) {
    const char* const last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data() + slash + 1, last, prefix);
    if (status != std::errc() || end != last || prefix > bits) return {};
  }
  if (first_address(address, prefix) != address) return {};
  return IpNetwork(address, prefix);
}

bool IpNetwork::contains(const boost::asio::ip::address& address) const {
  const ip::address plain = unmapped(address);
  return plain.is_v4() == address_.is_v4() && first_address(plain, prefix_) == address_;
}

std::string IpNetwork::str() const {
  return address_.to_string() + "/" + std::to_string(prefix_);
}

}  // namespace hearth::base
