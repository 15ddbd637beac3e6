// SPDX-License-Identifier: Apache-2.0
// The web interface: its files, and the paths at which a browser gets its one page. Immutable, any thread.
#pragma once

#include <cstddef>
#include <span>

#include "http/router.h"
#include "http/static_file.h"

namespace hearth::api {

class Pages {
 public:
  // `/index.html` among the files is the page; without it there are no pages, only files. The routes' numbers begin
  // with `first_route`.
  Pages(std::span<const http::StaticFile> files, std::size_t first_route);

  void add_to(http::Router& router) const;
  bool has(std::size_t route) const { return route >= first_route_; }
  // REQUIRES: has(request.route).
  http::Response get(const http::Request& request) const;

 private:
  std::span<const http::StaticFile> files_;
  std::size_t first_route_;
};

}  // namespace hearth::api
