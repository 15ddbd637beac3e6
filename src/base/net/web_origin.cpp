// SPDX-License-Identifier: Apache-2.0
#include "base/net/web_origin.h"

#include <fmt/format.h>

#include <boost/beast/core/string.hpp>

namespace hearth::base {
namespace {

constexpr std::string_view kSecure = "https://";
constexpr std::string_view kPlain = "http://";

bool has_scheme(std::string_view text, std::string_view scheme) {
  return boost::beast::iequals(text.substr(0, scheme.size()), scheme);
}

}  // namespace

std::uint16_t default_port(std::string_view origin) {
  return has_scheme(origin, kSecure) ? 443 : 80;
}

std::optional<Authority> origin_authority(std::string_view origin) {
  const std::string_view scheme = has_scheme(origin, kSecure) ? kSecure : kPlain;
  if (!has_scheme(origin, scheme)) return {};
  return parse_authority(origin.substr(scheme.size()), default_port(origin));
}

std::optional<std::string> parse_web_origin(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1);
  const auto authority = origin_authority(text);
  if (!authority) return {};
  const std::string_view scheme = has_scheme(text, kSecure) ? kSecure : kPlain;
  if (authority->port == default_port(text)) return fmt::format("{}{}", scheme, authority->host);
  return fmt::format("{}{}:{}", scheme, authority->host, authority->port);
}

}  // namespace hearth::base
