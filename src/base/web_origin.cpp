// SPDX-License-Identifier: Apache-2.0
#include "base/web_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address_v6.hpp>
#include <charconv>
#include <cstdint>

namespace hearth::base {
namespace {

// The host's length at the start of the text; 0 where there is none.
std::size_t host_length(std::string_view text) {
  if (!text.starts_with('[')) {
    const auto end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._"), text.size());
    return text.starts_with('.') || text.starts_with('-') ? 0 : end;
  }
  const auto end = text.find(']');
  if (end == std::string_view::npos) return 0;
  boost::system::error_code error;
  boost::asio::ip::make_address_v6(std::string(text.substr(1, end - 1)), error);
  return error ? 0 : end + 1;
}

}  // namespace

std::optional<std::string> parse_web_origin(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  std::string_view rest = lower;
  const bool secure = rest.starts_with("https://");
  if (!secure && !rest.starts_with("http://")) return {};
  const std::string_view scheme = rest.substr(0, secure ? 8 : 7);
  rest.remove_prefix(scheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);

  const auto length = host_length(rest);
  const std::string_view host = rest.substr(0, length);
  rest.remove_prefix(length);
  if (host.empty()) return {};
  if (rest.empty()) return fmt::format("{}{}", scheme, host);

  std::uint16_t port = 0;
  if (!rest.starts_with(':')) return {};
  const char* const last = rest.data() + rest.size();
  const auto [end, status] = std::from_chars(rest.data() + 1, last, port);
  if (status != std::errc() || end != last || port == 0) return {};
  if (port == (secure ? 443 : 80)) return fmt::format("{}{}", scheme, host);
  return fmt::format("{}{}:{}", scheme, host, port);
}

}  // namespace hearth::base
