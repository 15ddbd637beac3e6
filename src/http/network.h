// SPDX-License-Identifier: Apache-2.0
// Networks in CIDR form, and whom a request comes from when proxies stand between.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::http {

class Network {
 public:
  // `192.168.0.0/24`, `fd00::/8`, or one address. Fails with invalid.
  static base::Result<Network> parse(std::string_view text);

  // An IPv4 address mapped into IPv6 counts as the IPv4 address.
  bool contains(const boost::asio::ip::address& address) const;

 private:
  boost::asio::ip::address address_;
  unsigned prefix_ = 0;
};

boost::asio::ip::address unmap(const boost::asio::ip::address& address);

// The address a request comes from: the peer, or, where the peer is trusted, the last address in X-Forwarded-For that is not.
// Whoever is not trusted cannot speak for others.
boost::asio::ip::address client_address(const boost::asio::ip::address& peer, std::string_view x_forwarded_for,
                                        const std::vector<Network>& trusted);

}  // namespace hearth::http
