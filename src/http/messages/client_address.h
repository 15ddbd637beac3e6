// SPDX-License-Identifier: Apache-2.0
// The client of a request that came through proxies, and whether it came by https. Any thread.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <expected>
#include <vector>

#include "base/net/ip_network.h"
#include "http/messages/request.h"

namespace hearth::http {

enum class ForwardingError {
  untrusted,   // forwarded by a peer that is no trusted proxy
  unreadable,  // a trusted proxy sends something that is not a list of addresses
};

// The peer. If it is a trusted proxy, the last address of X-Forwarded-For that is not a trusted proxy: only trusted
// proxies are believed. Without X-Forwarded-For, the `for` of each element of Forwarded (RFC 7239) is read instead.
// Ports are removed; IPv4 addresses that came as IPv6 are returned as IPv4.
std::expected<boost::asio::ip::address, ForwardingError> client_address(const boost::asio::ip::address& peer,
                                                                        const RequestHeaders& headers,
                                                                        const std::vector<base::IpNetwork>& trusted);

// True if the peer is a trusted proxy that says its client came by https: in X-Forwarded-Proto or, without the X-
// fields, in the `proto` of Forwarded. Of a list the last item counts, which is the peer's own.
bool came_over_tls(const boost::asio::ip::address& peer, const RequestHeaders& headers,
                   const std::vector<base::IpNetwork>& trusted);

}  // namespace hearth::http
