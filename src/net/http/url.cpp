// SPDX-License-Identifier: Apache-2.0
#include "net/http/url.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/net/authority.h"
#include "base/text/text.h"
#include "base/text/utf8.h"

namespace hearth::net {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Bytes that an address may not have are percent-encoded; what is encoded stays.
std::string encoded(std::string_view text) {
  constexpr std::string_view kNever = "\"<>\\^`{|} ";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F && !kNever.contains(c)) {
      out += c;
    } else {
      out += '%';
      out += kHexDigits[byte >> 4];
      out += kHexDigits[byte & 15];
    }
  }
  return out;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_code =
        text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
    out += is_code ? static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])) : text[i];
    if (is_code) i += 2;
  }
  return out;
}

std::string target_of(std::string_view text) {
  text = text.substr(0, text.find('#'));
  return text.starts_with('/') ? encoded(text) : '/' + encoded(text);
}

std::unexpected<Failure> no_url(std::string_view text) {
  // A password, if there is one, is between the slashes and the last @ before the next slash.
  const auto slashes = text.find("//");
  const auto begin = slashes == std::string_view::npos ? 0 : slashes + 2;
  const auto at = text.substr(0, text.find_first_of("/?#", begin)).rfind('@');
  std::string shown(text);
  if (at != std::string_view::npos && at >= begin) shown.erase(begin, at + 1 - begin);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return std::unexpected(Failure{Reason::invalid_host, fmt::format("expected an address as http://host:80/path, got {}",
                                                                   base::utf8_excerpt(base::utf8_repaired(shown)))});
}

// RFC 3986 §5.2.4, for a path that begins with a slash.
std::string without_dots(std::string_view path) {
  std::vector<std::string_view> parts;
  bool ends_with_slash = false;
  for (std::size_t at = 0; at < path.size();) {
    const auto end = std::min(path.find('/', at + 1), path.size());
    const std::string_view part = path.substr(at + 1, end - at - 1);
    ends_with_slash = part == "." || part == "..";
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (part != ".") {
      parts.push_back(part);
    }
    at = end;
  }
  std::string out;
  for (const auto part : parts) base::append(out, "/", part);
  if (ends_with_slash || out.empty()) out += '/';
  return out;
}

// Blanks around it are of the file or field that it is from.
std::string_view trimmed(std::string_view text) {
  return base::trim_blanks(text);
}

// `scheme` of `text` and what follows the two slashes. Null if it has none of ours.
struct Scheme {
  bool secure;
  std::string_view rest;
};
std::optional<Scheme> scheme_of(std::string_view text) {
  const auto colon = text.find("://");
  if (colon == std::string_view::npos) return {};
  const std::string_view name = text.substr(0, colon);
  const bool plain = base::equals_ignoring_case(name, "http") || base::equals_ignoring_case(name, "ws");
  const bool secure = base::equals_ignoring_case(name, "https") || base::equals_ignoring_case(name, "wss");
  if (!plain && !secure) return {};
  return Scheme{secure, text.substr(colon + 3)};
}

}  // namespace

std::string Url::authority() const {
  const std::string name = host.contains(':') ? '[' + host + ']' : host;
  return port == (secure ? 443 : 80) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::str(bool websocket) const {
  const std::string_view scheme = websocket ? (secure ? "wss" : "ws") : (secure ? "https" : "http");
  return fmt::format("{}://{}{}", scheme, authority(), target);
}

std::expected<Url, Failure> parse_url(std::string_view text) {
  text = trimmed(text);
  const auto scheme = scheme_of(text);
  if (!scheme || text.size() > Url::kMaxLength || text.contains('\0')) return no_url(text);
  Url url{.secure = scheme->secure, .host = {}, .user = {}, .password = {}};
  const auto end = std::min(scheme->rest.find_first_of("/?#"), scheme->rest.size());
  std::string_view where = scheme->rest.substr(0, end);
  if (const auto at = where.rfind('@'); at != std::string_view::npos) {
    const std::string_view person = where.substr(0, at);
    const auto colon = std::min(person.find(':'), person.size());
    url.user = decoded(person.substr(0, colon));
    url.password = decoded(person.substr(std::min(colon + 1, person.size())));
    where.remove_prefix(at + 1);
  }
  auto authority = base::parse_authority(where, url.secure ? 443 : 80);
  if (!authority) return no_url(text);
  url.host = authority->host.starts_with('[') ? authority->host.substr(1, authority->host.size() - 2)
                                              : std::move(authority->host);
  url.port = authority->port;
  url.target = target_of(scheme->rest.substr(end));
  return url;
}

std::expected<Url, Failure> resolve_url(const Url& base, std::string_view location) {
  location = trimmed(location);
  location = location.substr(0, location.find('#'));
  std::expected<Url, Failure> url;
  const auto colon = location.find(':');
  if (location.starts_with("//")) {
    url = parse_url((base.secure ? "https:" : "http:") + std::string(location));
  } else if (colon != std::string_view::npos && colon < location.find_first_of("/?")) {
    url = parse_url(location);
  } else {
    url = base;
    const std::string_view path = std::string_view(base.target).substr(0, base.target.find('?'));
    const auto query = std::min(location.find('?'), location.size());
    std::string to(location.substr(0, query));
    if (location.size() > Url::kMaxLength) return no_url(location);
    if (location.empty()) {
      to = base.target;
    } else if (to.empty()) {
      base::append(to, path, location);
    } else {
      if (!to.starts_with('/')) to = std::string(path.substr(0, path.rfind('/') + 1)) + to;
      to = without_dots(to) + std::string(location.substr(query));
    }
    url->target = target_of(to);
    if (url->target.size() > 3 * Url::kMaxLength) return no_url(location);
  }
  if (url) {
    url->user.clear();
    url->password.clear();
  }
  return url;
}

}  // namespace hearth::net
