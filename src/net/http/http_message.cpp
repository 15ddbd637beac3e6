// SPDX-License-Identifier: Apache-2.0
#include "net/http/http_message.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/text.h"
#include "base/text/utf8.h"

namespace hearth::net {
namespace {

bool is_token(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kOthers.contains(c);
  });
}

std::string shown(std::string_view text) {
  return base::utf8_excerpt(base::utf8_repaired(text));
}

}  // namespace

const std::string* HttpResponse::header(std::string_view name) const {
  const auto found =
      std::ranges::find_if(headers, [&](const auto& each) { return base::equals_ignoring_case(each.first, name); });
  return found == headers.end() ? nullptr : &found->second;
}

std::optional<Failure> check_request(const HttpRequest& request) {
  if (!is_token(request.method) || request.method.size() > 32 || request.method == "CONNECT")
    return Failure{Reason::unknown, fmt::format("expected a method such as GET, got {}", shown(request.method))};
  std::size_t bytes = 0;
  for (const auto& [name, value] : request.headers) {
    if (!is_token(name))
      return Failure{Reason::unknown, fmt::format("expected the name of a header, got {}", shown(name))};
    if (value.find_first_of(std::string_view("\0\r\n", 3)) != std::string::npos)
      return Failure{Reason::unknown, fmt::format("the header {} has a line break", name)};
    bytes += name.size() + value.size() + 4;
  }
  if (bytes > HttpRequest::kMaxHeaderBytes)
    return Failure{Reason::unknown,
                   fmt::format("the headers are larger than {} KiB", HttpRequest::kMaxHeaderBytes / 1024)};
  if (request.body.size() > HttpRequest::kMaxSent)
    return Failure{Reason::unknown, fmt::format("the body is larger than {} MiB", HttpRequest::kMaxSent / 1048576)};
  return {};
}

}  // namespace hearth::net
