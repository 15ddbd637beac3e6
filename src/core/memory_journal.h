// SPDX-License-Identifier: Apache-2.0
// A journal in memory, which the next hub in the same process can continue: for simulations and tests. Bus thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/bus/event_bus.h"
#include "core/journal.h"

namespace hearth::core {

class MemoryJournal : public Journal {
 public:
  // `bus`: of the present hub.
  explicit MemoryJournal(EventBus*& bus) : bus_(bus) {}
  void put(std::string key, std::string text) override { entries.insert_or_assign(std::move(key), std::move(text)); }
  void remove(std::string_view key) override { entries.erase(std::string(key)); }
  void keep(StatePtr) override {}  // the states are in memory, too
  void read(std::string key, std::function<void(std::optional<std::string> text)> read) override {
    const auto found = entries.find(key);
    bus_->post([read, text = found == entries.end() ? std::nullopt : std::optional(found->second)] { read(text); });
  }
  void when_written(std::function<void()> written) override { bus_->post(std::move(written)); }
  bool has_unwritten() const override { return false; }

  Entries entries;

 private:
  EventBus*& bus_;
};

}  // namespace hearth::core
