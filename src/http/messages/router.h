// SPDX-License-Identifier: Apache-2.0
// Finds the route of a request by its path segments. Built once, then read by all workers.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/text_map.h"
#include "http/messages/request.h"

namespace hearth::http {

class Router {
 public:
  // `/api/states/{entity_id}`: a segment in braces matches any segment that is not empty; `{path}`, the last, matches
  // it and all that follow, empty ones too. Adding a path and method twice is a programmer's error. `find` returns
  // `route`.
  void add(Verb method, std::string_view path, std::size_t route);

  struct Match {
    bool known_path = false;
    std::optional<std::size_t> route;            // if the path has the method
    std::vector<Verb> const* allowed = nullptr;  // methods of a known path, in the order added, HEAD after GET
  };
  // HEAD finds the route of GET, unless that was added without HEAD.
  Match find(Verb method, const Target& target) const;

  // As above, for a GET without HEAD.
  void add_without_head(Verb method, std::string_view path, std::size_t route);

 private:
  struct Node {
    base::TextMap<std::unique_ptr<Node>> fixed;  // hundreds where the pages' files are
    std::unique_ptr<Node> any;
    std::unique_ptr<Node> rest;  // of `{path}`
    std::vector<std::pair<Verb, std::size_t>> routes;
    std::vector<Verb> allowed;
  };

  Node& node(std::string_view path);
  static const Node* find(const Node& node, const Target& target, std::size_t depth);

  Node root_;
};

}  // namespace hearth::http
