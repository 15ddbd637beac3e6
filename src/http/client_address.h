// SPDX-License-Identifier: Apache-2.0
// Whom a request comes from when proxies stand between. Any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <expected>
#include <vector>

#include "base/ip_network.h"
#include "http/request.h"

namespace hearth::http {

enum class ForwardingError {
  untrusted,   // somebody speaks for others who is no trusted proxy
  unreadable,  // a trusted proxy says something that is not a list of addresses
};

// The peer or, if it is a trusted proxy that says so, the last address of X-Forwarded-For that is not trusted: whoever
// is not trusted cannot speak for others. If there is no X-Forwarded-For, the `for` of each element of Forwarded (RFC
// 7239) is read instead. Ports are taken off. IPv4 addresses that came as IPv6 are given as what they are.
std::expected<boost::asio::ip::address, ForwardingError> client_address(const boost::asio::ip::address& peer,
                                                                        const RequestHeaders& headers,
                                                                        const std::vector<base::IpNetwork>& trusted);

}  // namespace hearth::http
