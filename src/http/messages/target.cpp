// SPDX-License-Identifier: Apache-2.0
#include "http/messages/target.h"

#include <algorithm>

#include "base/text/text.h"
#include "http/messages/url_text.h"

namespace hearth::http {
namespace {

// True if an authority, `user@host:port`, has a host, as it must (RFC 9110 §4.2.1).
bool names_a_host(std::string_view authority) {
  const auto user = authority.rfind('@');
  if (user != std::string_view::npos) authority.remove_prefix(user + 1);
  return !authority.empty() && !authority.starts_with(':');
}

base::Result<void> wrong(std::string_view what) {
  return base::fail(base::ErrorCode::invalid, "Invalid request target: it has " + std::string(what) + ".");
}

}  // namespace

void Target::clear() {
  constexpr std::size_t kKept = 32;  // segments; the head's limit bounds a path
  if (segments_.size() > kKept) std::vector<Segment>().swap(segments_);
  segments_.clear();
  authority_.clear();
  path_.clear();
  query_.clear();
}

std::optional<std::string_view> Target::query(std::string_view name) const {
  for (const auto& [key, value] : query_) {
    if (key == name) return value;
  }
  return {};
}

base::Result<void> Target::parse(std::string_view text) {
  clear();
  if (text.find('#') != std::string_view::npos) return wrong("a fragment");
  if (text != "*" && !text.starts_with('/')) {
    // Absolute form, RFC 9112 §3.2.2: what precedes the path names this server.
    const auto scheme = std::min(text.find("://"), text.size());
    if (!base::equals_ignoring_case(text.substr(0, scheme), "http") &&
        !base::equals_ignoring_case(text.substr(0, scheme), "https")) {
      return wrong("no path");
    }
    const auto path = text.find_first_of("/?", scheme + 3);
    authority_ = text.substr(std::min(scheme + 3, text.size()), path - scheme - 3);
    if (!names_a_host(authority_)) return wrong("no host");
    text = path == std::string_view::npos ? std::string_view("/") : text.substr(path);
  }

  const auto question = std::min(text.find('?'), text.size());
  std::string_view path = text.substr(0, question);
  std::string_view query = text.substr(std::min(question + 1, text.size()));

  if (path.starts_with('/')) path.remove_prefix(1);
  for (bool more = true; more;) {
    const auto end = path.find('/');
    more = end != std::string_view::npos;
    const std::size_t start = path_.size();
    if (const auto problem = decode_url(path.substr(0, end), UrlPart::path, path_); !problem.empty())
      return wrong(problem);
    segments_.push_back({start, path_.size() - start});
    if (segment(size() - 1) == "..") return wrong("a segment ..");
    if (more) path.remove_prefix(end + 1);
  }
  while (!query.empty()) {
    std::string_view pair = take_until(query, '&');
    if (pair.empty()) continue;
    auto& [name, value] = query_.emplace_back();
    const std::string_view raw_name = take_until(pair, '=');
    for (const auto& [raw, out] : {std::pair{raw_name, &name}, std::pair{pair, &value}}) {
      if (const auto problem = decode_url(raw, UrlPart::query, *out); !problem.empty()) return wrong(problem);
    }
  }
  return {};
}

}  // namespace hearth::http
