// SPDX-License-Identifier: Apache-2.0
#include "api/pages.h"

#include <algorithm>

#include "base/net/authority.h"
#include "base/text/text.h"

namespace hearth::api {
namespace {

constexpr std::string_view kPage = "/index.html", kBelow = "/hearth";
constexpr std::string_view kServiceWorker = "/service_worker.js";  // other frontends at the root have one, too

// Paths that the page's own script shows. The page itself is at no other path.
constexpr std::string_view kPaths[] = {"/",
                                       "/welcome",
                                       "/login",
                                       "/invitation",
                                       "/overview",
                                       "/history",
                                       "/energy",
                                       "/developer-tools",
                                       "/developer-tools/{tab}",
                                       "/profile",
                                       "/settings",
                                       "/settings/{tab}",
                                       "/settings/{tab}/{item}"};

// Everything from here, nothing from text that found its way into the page.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src "
    "'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

// Only a page that browsers trust, by https or on this machine, can have a browsing context group of its own (HTML
// §7.1.3): about the header of any other they complain on each visit.
bool is_trusted_by_browsers(const http::Request& request) {
  if (request.over_tls) return true;
  const auto host = base::parse_authority(request.headers.host, 80);
  return host && base::is_own_machine(host->host);
}

void guard(http::Response& response, const http::Request& request) {
  response.with_header("Content-Security-Policy", kContentSecurityPolicy);
  if (is_trusted_by_browsers(request)) response.with_header("Cross-Origin-Opener-Policy", "same-origin");
}

// True if the media type is named; `*/*` is not enough.
bool accepts_html(std::string_view accept) {
  while (!accept.empty()) {
    const auto comma = std::min(accept.find(','), accept.size());
    const std::string_view type = accept.substr(0, std::min(comma, accept.find(';')));
    if (base::equals_ignoring_case(base::trim_blanks(type), "text/html")) return true;
    accept.remove_prefix(std::min(comma + 1, accept.size()));
  }
  return false;
}

bool is_of_programs(const http::Target& target) {
  return target.size() > 0 && (target.segment(0) == "api" || target.segment(0) == "auth");
}

}  // namespace

Pages::Pages(std::span<const http::StaticFile> files, std::size_t first_route)
    : files_(files), first_route_(first_route) {}

void Pages::add_to(http::Router& router, Root root) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].path != kPage) {
      if (root == Root::own || files_[i].path != kServiceWorker)
        router.add(http::Verb::get, files_[i].path, first_route_ + i);
      continue;
    }
    for (const std::string_view path : kPaths) {
      if (root == Root::own) router.add(http::Verb::get, path, first_route_ + i);
      router.add(http::Verb::get, std::string(kBelow) + std::string(path == "/" ? "" : path), first_route_ + i);
    }
  }
}

http::Response Pages::get(const http::Request& request) const {
  const http::StaticFile& file = files_[request.route - first_route_];
  http::Response response = http::static_file(file, request.headers);
  if (file.path == kPage) guard(response, request);
  return response;
}

const http::StaticFile* Pages::page() const {
  const auto found = std::ranges::find(files_, kPage, &http::StaticFile::path);
  return found == files_.end() ? nullptr : &*found;
}

http::Response Pages::missing(const http::Request& request) const {
  const bool reads = request.method == http::Verb::get || request.method == http::Verb::head;
  const http::StaticFile* const shown = page();
  if (!shown || !reads || !accepts_html(request.headers.accept) || is_of_programs(request.target)) {
    return http::Response::message(404, "There is no such endpoint.");
  }
  http::RequestHeaders fresh;  // RFC 9110 §13.2.1: conditions are for what would succeed without them
  fresh.accept_encoding = request.headers.accept_encoding;
  http::Response response = http::static_file(*shown, fresh);
  response.status = 404;
  response.cache_control = http::Response::kNoStore;
  guard(response, request);
  return response;
}

}  // namespace hearth::api
