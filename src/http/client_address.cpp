// SPDX-License-Identifier: Apache-2.0
#include "http/client_address.h"

#include <algorithm>

#include "base/text.h"

namespace hearth::http {
namespace {

using boost::asio::ip::address;

address unmap(const address& from) {
  if (from.is_v6() && from.to_v6().is_v4_mapped()) return make_address_v4(boost::asio::ip::v4_mapped, from.to_v6());
  return from;
}

}  // namespace

address client_address(const address& peer, std::string_view x_forwarded_for,
                       const std::vector<base::IpNetwork>& trusted) {
  const auto is_trusted = [&](const address& candidate) {
    return std::any_of(trusted.begin(), trusted.end(),
                       [&](const auto& network) { return network.contains(candidate); });
  };
  address client = unmap(peer);
  while (!x_forwarded_for.empty() && is_trusted(client)) {
    const auto comma = x_forwarded_for.rfind(',');
    const std::string_view last =
        base::trim_blanks(x_forwarded_for.substr(comma == std::string_view::npos ? 0 : comma + 1));
    x_forwarded_for = comma == std::string_view::npos ? std::string_view() : x_forwarded_for.substr(0, comma);
    boost::system::error_code error;
    const address next = boost::asio::ip::make_address(std::string(last), error);
    if (error) break;
    client = unmap(next);
  }
  return client;
}

}  // namespace hearth::http
