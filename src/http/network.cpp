// SPDX-License-Identifier: Apache-2.0
#include "http/network.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>

namespace hearth::http {
namespace {

using boost::asio::ip::address;

bool same_prefix(std::span<const unsigned char> a, std::span<const unsigned char> b, unsigned bits) {
  const std::size_t bytes = bits / 8;
  if (!std::equal(a.begin(), a.begin() + bytes, b.begin())) return false;
  if (bits % 8 == 0) return true;
  const auto mask = static_cast<unsigned char>(0xFF << (8 - bits % 8));
  return (a[bytes] & mask) == (b[bytes] & mask);
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

address unmap(const address& from) {
  if (from.is_v6() && from.to_v6().is_v4_mapped()) return make_address_v4(boost::asio::ip::v4_mapped, from.to_v6());
  return from;
}

base::Result<Network> Network::parse(std::string_view text) {
  const auto slash = text.find('/');
  boost::system::error_code error;
  Network network;
  network.address_ = boost::asio::ip::make_address(std::string(text.substr(0, slash)), error);
  const unsigned longest = network.address_.is_v4() ? 32 : 128;
  network.prefix_ = longest;
  bool good = !error;
  if (good && slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), network.prefix_);
    good = status == std::errc() && end == digits.data() + digits.size() && network.prefix_ <= longest;
  }
  if (good) return network;
  return base::fail(base::ErrorCode::invalid, "expected an address or a network such as 192.168.0.0/24, found \"" +
                                                  std::string(text) + "\"");
}

bool Network::contains(const address& candidate) const {
  const address plain = unmap(candidate);
  if (plain.is_v4() != address_.is_v4()) return false;
  if (plain.is_v4()) return same_prefix(plain.to_v4().to_bytes(), address_.to_v4().to_bytes(), prefix_);
  return same_prefix(plain.to_v6().to_bytes(), address_.to_v6().to_bytes(), prefix_);
}

address client_address(const address& peer, std::string_view x_forwarded_for, const std::vector<Network>& trusted) {
  const auto is_trusted = [&](const address& candidate) {
    return std::any_of(trusted.begin(), trusted.end(), [&](const Network& n) { return n.contains(candidate); });
  };
  address client = unmap(peer);
  while (!x_forwarded_for.empty() && is_trusted(client)) {
    const auto comma = x_forwarded_for.rfind(',');
    const std::string_view last = trim(x_forwarded_for.substr(comma == std::string_view::npos ? 0 : comma + 1));
    x_forwarded_for = comma == std::string_view::npos ? std::string_view() : x_forwarded_for.substr(0, comma);
    boost::system::error_code error;
    const address next = boost::asio::ip::make_address(std::string(last), error);
    if (error) break;
    client = unmap(next);
  }
  return client;
}

}  // namespace hearth::http
