// SPDX-License-Identifier: Apache-2.0
#include "integrations/calendars/web/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/text.h"
#include "net/http/url.h"

namespace hearth::integrations::calendars {
namespace {

bool starts_with_word(std::string_view text, std::string_view word) {
  return base::equals_ignoring_case(text.substr(0, word.size()), word);
}

// True if the server takes digest authentication, and does not take the basic one.
bool wants_digest(const net::HttpResponse& response) {
  bool digest = false, basic = false;
  for (const auto& [name, value] : response.headers) {
    if (!base::equals_ignoring_case(name, "WWW-Authenticate")) continue;
    digest = digest || starts_with_word(value, "digest ");
    basic = basic || starts_with_word(value, "basic");
  }
  return digest && !basic;
}

std::string host_of(const net::HttpResponse& response) {
  const auto url = net::parse_url(response.url);
  return url ? url->authority() : "The server";
}

std::unexpected<net::Failure> refusal(const net::HttpResponse& response) {
  const std::string host = host_of(response);
  if (response.status == 401)
    return std::unexpected(
        net::Failure{net::Reason::invalid_auth, fmt::format("{} does not accept the user name and password.", host)});
  if (response.status == 403)
    return std::unexpected(net::Failure{net::Reason::invalid_auth, fmt::format("{} forbids this to the user.", host)});
  if (response.status == 404)
    return std::unexpected(
        net::Failure{net::Reason::cannot_connect, fmt::format("{} has nothing at this address (404).", host)});
  if (response.status == 412) {
    return std::unexpected(
        net::Failure{net::Reason::busy, fmt::format("{} has another version of this by now (412).", host)});
  }
  return std::unexpected(
      net::Failure{net::Reason::cannot_connect, fmt::format("{} answers with {}.", host, response.status)});
}

}  // namespace

void Requests::ask(net::HttpRequest request, Done done, int accepted) {
  send(std::move(request), std::move(done), accepted);
}

void Requests::send(net::HttpRequest request, Done done, int accepted) {
  using Kind = net::HttpCredentials::Kind;
  request.timeout = kTimeout;
  request.verify_certificate = access_.verify_certificate;
  request.credentials.reset();
  if (!access_.user.empty()) {
    request.credentials = net::HttpCredentials{.kind = digest_ ? Kind::digest : Kind::basic,
                                               .user = access_.user,
                                               .password = std::string(access_.password.reveal())};
  }
  net::HttpRequest again = request;
  open_ = client_.ask(std::move(request), [this, again = std::move(again), done = std::move(done),
                                           accepted](net::HttpResult result) mutable {
    if (!result) return done(std::move(result));
    if (result->status == 401 && !digest_ && again.credentials && wants_digest(*result)) {
      digest_ = true;
      return send(std::move(again), std::move(done), accepted);
    }
    if (result->status >= 400 && result->status != accepted) return done(refusal(*result));
    done(std::move(result));
  });
}

std::string web_address(std::string_view text) {
  constexpr std::string_view kCalendar = "webcal://";
  const std::string_view trimmed = base::trim_blanks(text);
  std::string address(trimmed);
  if (starts_with_word(trimmed, kCalendar)) address = "https://" + std::string(trimmed.substr(kCalendar.size()));
  if (!starts_with_word(address, "http://") && !starts_with_word(address, "https://")) return {};
  return net::parse_url(address) ? address : std::string();
}

}  // namespace hearth::integrations::calendars
