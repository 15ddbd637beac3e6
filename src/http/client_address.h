// SPDX-License-Identifier: Apache-2.0
// Whom a request comes from when proxies stand between.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string_view>
#include <vector>

#include "base/ip_network.h"

namespace hearth::http {

// The peer or, where the peer is trusted, the last address in X-Forwarded-For that is not: whoever is not trusted
// cannot speak for others. IPv4 addresses that came as IPv6 are given as what they are.
boost::asio::ip::address client_address(const boost::asio::ip::address& peer, std::string_view x_forwarded_for,
                                        const std::vector<base::IpNetwork>& trusted);

}  // namespace hearth::http
