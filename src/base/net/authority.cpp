// SPDX-License-Identifier: Apache-2.0
#include "base/net/authority.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <charconv>

namespace hearth::base {
namespace {

// The length of the host that the lower-case text starts with; 0 if it starts with none.
std::size_t host_length(std::string_view text) {
  if (!text.starts_with('[')) {
    const auto end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._"), text.size());
    return text.starts_with('.') || text.starts_with('-') ? 0 : end;
  }
  const auto end = text.find(']');
  if (end == std::string_view::npos) return 0;
  boost::system::error_code error;
  boost::asio::ip::make_address_v6(text.substr(1, end - 1), error);
  return error ? 0 : end + 1;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text, std::uint16_t default_port) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto length = host_length(lower);
  if (length == 0) return {};
  std::uint16_t port = default_port;
  if (length < lower.size()) {
    const char* const last = lower.data() + lower.size();
    const auto [end, status] = std::from_chars(lower.data() + length + 1, last, port);
    if (lower[length] != ':' || status != std::errc() || end != last || port == 0) return {};
  }
  lower.resize(length);
  return Authority{std::move(lower), port};
}

bool is_home_name(std::string_view host) {
  if (host.starts_with('[')) return true;
  boost::system::error_code error;
  boost::asio::ip::make_address_v4(host, error);
  if (!error) return true;
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty()) return false;
  if (!host.contains('.')) return true;
  constexpr std::string_view kOfHomes[] = {".local", ".home.arpa", ".lan", ".internal"};
  return std::ranges::any_of(kOfHomes, [&](std::string_view ending) { return host.ends_with(ending); });
}

bool is_own_machine(std::string_view host) {
  if (host == "[::1]") return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address_v4(host, error);
  if (!error) return address.is_loopback();
  if (host.ends_with('.')) host.remove_suffix(1);
  return host == "localhost" || host.ends_with(".localhost");
}

}  // namespace hearth::base
