// SPDX-License-Identifier: Apache-2.0
// For tests: a journal in memory, which a hub can leave to the next one.
#pragma once

#include <algorithm>
#include <string>

#include "core/memory_journal.h"

namespace hearth::automation {

class TestJournal final : public core::MemoryJournal {
 public:
  using MemoryJournal::MemoryJournal;
  void keep(core::StatePtr state) override { kept += std::string(state->entity_id()) + " "; }

  // Runs and clocks.
  std::size_t under_way() const {
    return static_cast<std::size_t>(std::ranges::count_if(entries, [](const auto& entry) {
      return entry.first.starts_with("run/") || entry.first.starts_with("clock/");
    }));
  }

  std::string kept;
};

}  // namespace hearth::automation
