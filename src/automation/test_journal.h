// SPDX-License-Identifier: Apache-2.0
// For tests: a journal in memory, which the next hub can continue.
#pragma once

#include <algorithm>
#include <string>

#include "automation/store/keys.h"
#include "core/memory_journal.h"

namespace hearth::automation {

class TestJournal final : public core::MemoryJournal {
 public:
  using MemoryJournal::MemoryJournal;
  void put(std::string key, std::string text) override {
    written += key.size() + text.size();
    MemoryJournal::put(std::move(key), std::move(text));
  }
  void keep(core::StatePtr state) override { kept += std::string(state->entity_id()) + " "; }

  // Runs, each once, clocks and what triggers remember.
  std::size_t under_way() const {
    return static_cast<std::size_t>(std::ranges::count_if(entries, [](const auto& entry) {
      return !entry.first.starts_with(keys::kTraces) && !entry.first.starts_with(keys::kMissed) &&
             !entry.first.starts_with(kArchive) && (!entry.first.starts_with(keys::kRuns) || keys::is_run(entry.first));
    }));
  }

  bool has_runs() const {
    return std::ranges::any_of(entries, [](const auto& entry) { return entry.first.starts_with(keys::kRuns); });
  }

  std::string kept;
  std::size_t written = 0;  // bytes
};

}  // namespace hearth::automation
