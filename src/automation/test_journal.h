// SPDX-License-Identifier: Apache-2.0
// For tests: a journal in memory, which a hub can leave to the next one.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/event_bus.h"
#include "core/journal.h"

namespace hearth::automation {

class TestJournal final : public core::Journal {
 public:
  // `bus`: of the present hub.
  explicit TestJournal(core::EventBus*& bus) : bus_(bus) {}
  void put(std::string key, std::string text) override { entries.insert_or_assign(std::move(key), std::move(text)); }
  void remove(std::string_view key) override { entries.erase(std::string(key)); }
  void keep(core::StatePtr state) override { kept += std::string(state->entity_id()) + " "; }
  void read(std::string key, std::function<void(std::optional<std::string> text)> read) override {
    const auto found = entries.find(key);
    bus_->post([read, text = found == entries.end() ? std::nullopt : std::optional(found->second)] { read(text); });
  }
  void when_written(std::function<void()> written) override { bus_->post(std::move(written)); }

  // Runs and clocks.
  std::size_t under_way() const {
    return static_cast<std::size_t>(std::ranges::count_if(entries, [](const auto& entry) {
      return entry.first.starts_with("run/") || entry.first.starts_with("clock/");
    }));
  }

  Entries entries;
  std::string kept;

 private:
  core::EventBus*& bus_;
};

}  // namespace hearth::automation
