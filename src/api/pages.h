// SPDX-License-Identifier: Apache-2.0
// The web interface: its files, and the paths at which a browser gets its one page. Immutable, any thread.
#pragma once

#include <cstddef>
#include <span>

#include "http/messages/router.h"
#include "http/messages/static_file.h"

namespace hearth::api {

class Pages {
 public:
  // `/index.html` among the files is the page; without it there are no pages, only files. The routes' numbers begin
  // with `first_route`.
  Pages(std::span<const http::StaticFile> files, std::size_t first_route);

  // The page is at its paths below /hearth, and at the same ones below / unless these are another frontend's.
  enum class Root { own, of_another };
  void add_to(http::Router& router, Root root) const;
  bool has(std::size_t route) const { return route >= first_route_ && route - first_route_ < files_.size(); }
  // REQUIRES: has(request.route).
  http::Response get(const http::Request& request) const;
  // The answer for a path that nothing is at: 404. A browser that wants to show it gets the page, which says so in
  // the person's language; below /api and /auth, and for what is no browser, it is a message.
  http::Response missing(const http::Request& request) const;

 private:
  const http::StaticFile* page() const;
  std::span<const http::StaticFile> files_;
  std::size_t first_route_;
};

}  // namespace hearth::api
