// SPDX-License-Identifier: Apache-2.0
#include "http/messages/router.h"

#include <algorithm>
#include <cassert>

namespace hearth::http {

Router::Node& Router::node(std::string_view path) {
  assert(path.starts_with('/'));
  Node* at = &root_;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto end = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, end);
    if (segment == "{path}") {
      assert(end == path.size());
      if (!at->rest) at->rest = std::make_unique<Node>();
      at = at->rest.get();
    } else if (segment.starts_with('{')) {
      if (!at->any) at->any = std::make_unique<Node>();
      at = at->any.get();
    } else {
      auto known = at->fixed.find(segment);
      if (known == at->fixed.end()) known = at->fixed.emplace(segment, std::make_unique<Node>()).first;
      at = known->second.get();
    }
    path.remove_prefix(end);
  }
  return *at;
}

void Router::add(Verb method, std::string_view path, std::size_t route) {
  add_without_head(method, path, route);
  if (method != Verb::get) return;
  Node& at = node(path);
  at.routes.emplace_back(Verb::head, route);
  at.allowed.push_back(Verb::head);
}

void Router::add_without_head(Verb method, std::string_view path, std::size_t route) {
  Node& at = node(path);
  assert(std::none_of(at.routes.begin(), at.routes.end(), [&](const auto& r) { return r.first == method; }));
  at.routes.emplace_back(method, route);
  at.allowed.push_back(method);
}

const Router::Node* Router::find(const Node& node, const Target& target, std::size_t depth) {
  if (depth == target.size()) return node.routes.empty() ? nullptr : &node;
  const std::string_view segment = target.segment(depth);
  if (const auto fixed = node.fixed.find(segment); fixed != node.fixed.end()) {
    if (const Node* found = find(*fixed->second, target, depth + 1)) return found;
  }
  if (segment.empty()) return nullptr;
  if (node.any) {
    if (const Node* found = find(*node.any, target, depth + 1)) return found;
  }
  return node.rest.get();
}

Router::Match Router::find(Verb method, const Target& target) const {
  const Node* at = find(root_, target, 0);
  if (!at) return {};
  Match match{true, {}, &at->allowed};
  for (const auto& [verb, route] : at->routes) {
    if (verb == method) match.route = route;
  }
  return match;
}

}  // namespace hearth::http
