// SPDX-License-Identifier: Apache-2.0
// Finds the contexts that descend from one: a service call led to a change, the change to an automation, and so on.
//
// One thread. Bound: kMaxContexts are remembered; a further one is found only if its parent is remembered.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace hearth::api {

class LogbookDescent {
 public:
  static constexpr std::size_t kMaxContexts = 10'000;

  explicit LogbookDescent(std::string context_id) { known_.insert(std::move(context_id)); }

  // True if the context is the one, or descends from it. REQUIRES: asked by rising time, so that a parent comes first.
  bool holds(std::string_view context_id, std::string_view parent_id);

 private:
  std::set<std::string, std::less<>> known_;
};

}  // namespace hearth::api
