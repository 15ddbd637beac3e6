// SPDX-License-Identifier: Apache-2.0
// Remembers which run caused which, to find if an item causes itself: each run has a context, and that of its cause as
// the parent. Bus thread only. Keeps the last kMost runs.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>

#include "core/bus/context.h"

namespace hearth::automation {

class CauseChain {
 public:
  static constexpr std::size_t kMost = 20'000;
  static constexpr std::size_t kDeepest = 256;  // generations that are looked at

  // A run of the item with this context begins. Awaited: the run that its context has as the parent waits for its end.
  void add(const core::Context& context, const void* item, bool awaited = false);
  // How many of the runs that led to this context were of the item, up to kDeepest.
  std::size_t count(const std::optional<base::Id>& context_id, const void* item) const;
  // True if the run with this context is of the item, or one that waits for it is.
  bool is_awaited_by(const std::optional<base::Id>& context_id, const void* item) const;

 private:
  struct Entry {
    std::optional<base::Id> parent_id;
    const void* item;
    bool awaited;
  };
  std::unordered_map<std::string, Entry> runs_;  // by context id
  std::deque<std::string> order_;
};

}  // namespace hearth::automation
