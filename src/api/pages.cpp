// SPDX-License-Identifier: Apache-2.0
#include "api/pages.h"

namespace hearth::api {
namespace {

constexpr std::string_view kPage = "/index.html";

// What the page's own script shows there. The page itself is at no other path.
constexpr std::string_view kPaths[] = {
    "/",        "/welcome",  "/login",         "/overview", "/history", "/developer-tools", "/developer-tools/{tab}",
    "/profile", "/settings", "/settings/{tab}"};

// Everything from here, nothing from text that found its way into the page.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src "
    "'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

}  // namespace

Pages::Pages(std::span<const http::StaticFile> files, std::size_t first_route)
    : files_(files), first_route_(first_route) {}

void Pages::add_to(http::Router& router) const {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].path != kPage) {
      router.add(http::Verb::get, files_[i].path, first_route_ + i);
      continue;
    }
    for (const std::string_view path : kPaths) router.add(http::Verb::get, path, first_route_ + i);
  }
}

http::Response Pages::get(const http::Request& request) const {
  const http::StaticFile& file = files_[request.route - first_route_];
  http::Response response = http::static_file(file, request.headers);
  if (file.path == kPage) {
    response.with_header("Content-Security-Policy", kContentSecurityPolicy);
    response.with_header("Cross-Origin-Opener-Policy", "same-origin");
  }
  return response;
}

}  // namespace hearth::api
