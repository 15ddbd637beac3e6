// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/https_redirect.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "base/net/authority.h"

namespace hearth::api {
namespace {

using http::Response;

constexpr std::uint16_t kHttps = 443;
constexpr std::size_t kMostChallenge = 4096;

// The token of /.well-known/acme-challenge/TOKEN: base64url only (RFC 8555 §8.3), so no way out of the folder.
std::optional<std::string> challenge_of(const http::Target& target) {
  if (target.size() != 3 || target.segment(0) != ".well-known" || target.segment(1) != "acme-challenge") return {};
  const std::string_view token = target.segment(2);
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (token.empty() || token.size() > 255 || !std::ranges::all_of(token, fits)) return {};
  return std::string(token);
}

Response challenge(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(kMostChallenge, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (text.empty()) return Response::message(404, "There is no such challenge.");
  Response response;
  response.content_type = "text/plain";
  response.text = std::move(text);
  return response;
}

bool brings_token(const http::Request& request) {
  if (!request.headers.authorization.empty()) return true;
  return std::ranges::any_of(std::initializer_list<std::string_view>{"access_token", "authSig", "token", "code"},
                             [&](std::string_view name) { return request.target.has_query(name); });
}

bool is_of_programs(const http::Target& target) {
  return target.size() > 0 && (target.segment(0) == "api" || target.segment(0) == "auth");
}

}  // namespace

Response HttpsRedirect::answer(const http::Request& request, std::uint16_t port) const {
  const bool reads = request.method == http::Verb::get || request.method == http::Verb::head;
  if (const auto token = challenge_of(request.target); token && reads && !challenges.empty())
    return challenge(challenges / *token);
  if (brings_token(request)) {
    return Response::message(403,
                             "This came without TLS, and its token could be read on the way: revoke it, and use "
                             "https.");
  }
  if (!reads || !pages || is_of_programs(request.target) || !request.target_text.starts_with('/'))
    return Response::message(403, "This port serves nothing without TLS: use https.");
  const auto host = base::parse_authority(request.headers.host, port);
  if (!host) return Response::message(400, "Host must name the hub.");
  const std::string at = port == kHttps ? "" : fmt::format(":{}", port);
  return std::move(Response::message(308, "This is at https.")
                       .with_header("Location", fmt::format("https://{}{}{}", host->host, at, request.target_text)));
}

}  // namespace hearth::api
