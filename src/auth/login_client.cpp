// SPDX-License-Identifier: Apache-2.0
#include "auth/login_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/net/web_origin.h"

namespace hearth::auth {
namespace {

constexpr std::size_t kMaxLength = 2'048;

std::unexpected<base::Error> wrong(std::string_view what, std::string_view why) {
  return base::fail(base::ErrorCode::invalid, fmt::format("Invalid {}: {}.", what, why));
}

// An address's scheme, host and port, as browsers write them.
base::Result<std::string> origin_of(std::string_view what, std::string_view address) {
  if (address.empty()) return wrong(what, "it is missing");
  if (address.size() > kMaxLength) return wrong(what, fmt::format("it has more than {} characters", kMaxLength));
  const auto plain = [](char c) { return c > ' ' && c <= '~' && c != '\\'; };
  if (!std::ranges::all_of(address, plain)) return wrong(what, "it has characters that a URL has not");
  if (address.contains('#')) return wrong(what, "it has a fragment");
  const auto scheme = address.find("://");
  const auto host = scheme == std::string_view::npos ? 0 : scheme + 3;
  auto origin = base::parse_web_origin(address.substr(0, address.find_first_of("/?", host)));
  if (!origin) return wrong(what, "expected http:// or https://, a host and perhaps a port");
  return std::move(*origin);
}

// True if a path has a `.` or `..` segment, which readers may interpret in different ways.
bool has_dot_segment(std::string_view address) {
  std::string_view path = address.substr(0, address.find('?'));
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, slash);
    if (segment == "." || segment == "..") return true;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return false;
}

// The companion apps, exactly: their addresses open the app on the user's own device, and no page of another site.
struct NativeClient {
  std::string_view client_id, redirect_uri, source, shown;
};
constexpr NativeClient kNativeClients[] = {
    {"https://home-assistant.io/iOS", "homeassistant://auth-callback", "homeassistant:", "the companion app for iOS"},
    {"https://home-assistant.io/android", "homeassistant://auth-callback",
     "homeassistant:", "the companion app for Android"},
    {"https://home-assistant.io/android", "https://wear.googleapis.com/3p_auth/io.homeassistant.companion.android",
     "https://wear.googleapis.com", "the companion app for Wear OS"},
    {"https://home-assistant.io/android", "https://wear.googleapis-cn.com/3p_auth/io.homeassistant.companion.android",
     "https://wear.googleapis-cn.com", "the companion app for Wear OS"},
};

}  // namespace

base::Result<void> check_client_id(std::string_view client_id) {
  const auto origin = origin_of("client_id", client_id);
  if (!origin) return std::unexpected(origin.error());
  if (has_dot_segment(client_id)) return wrong("client_id", "it has a segment . or ..");
  return {};
}

base::Result<RedirectTarget> check_redirect_uri(std::string_view redirect_uri, std::string_view client_id) {
  const auto native = std::ranges::find_if(kNativeClients, [&](const NativeClient& each) {
    return each.client_id == client_id && each.redirect_uri == redirect_uri;
  });
  if (native != std::end(kNativeClients))
    return RedirectTarget{std::string(native->source), std::string(native->shown)};
  if (auto good = check_client_id(client_id); !good) return std::unexpected(std::move(good.error()));
  auto origin = origin_of("redirect_uri", redirect_uri);
  if (!origin) return std::unexpected(std::move(origin.error()));
  if (*origin != origin_of("client_id", client_id)) {
    return wrong("redirect_uri", "it has another scheme, host or port than client_id");
  }
  return RedirectTarget{*origin, *origin};
}

}  // namespace hearth::auth
