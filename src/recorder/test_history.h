// SPDX-License-Identifier: Apache-2.0
// For tests: a hub without threads, with a recorder that listens, and history as short strings.
#pragma once

#include <memory>
#include <string>

#include "core/hub.h"
#include "recorder/history/entity_history.h"
#include "recorder/history_file_reader.h"
#include "recorder/recorder.h"

namespace hearth::recorder {

struct TestHome {
  TestHome(base::ManualClock& used_clock, const std::filesystem::path& folder, RecorderOptions options = {})
      : clock(used_clock), hub(used_clock), recorder(Recorder::open(folder, used_clock, std::move(options)).value()) {
    restored = recorder->restore(hub.states).value();
    recorder->listen(hub.bus);
  }

  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}",
           core::Context context = {"C", {}, {}}) {
    hub.states.set(core::EntityId::parse(id).value(), {value, attributes, std::move(context), false}).value();
    hub.bus.run_pending();
  }
  void remove(std::string_view id) {
    hub.states.remove(id, {"C", {}, {}}).value();
    hub.bus.run_pending();
  }
  void save() {
    recorder->commit().value();
    recorder->save_states().value();
  }
  // Does all maintenance that is due. Fails if it does not end.
  void maintain() {
    for (int steps = 0; recorder->maintain().value(); ++steps) {
      ASSERT_LT(steps, 100'000);
    }
  }
  std::string json(std::string_view id) const {
    const auto state = hub.states.find(id);
    return state ? std::string(state->json()) : "none";
  }

  // `[on] off on`: the state at the start, and the changes since; `-` for a removal.
  std::string history(std::string_view id, base::Timestamp start, base::Timestamp end) const {
    HistoryFileReader reader(*recorder);
    return history(reader, id, start, end);
  }
  static std::string history(HistoryReader& reader, std::string_view id, base::Timestamp start, base::Timestamp end) {
    EntityHistory entity{std::string(id), {start, end}};
    std::string text;
    for (bool more = true; more;) {
      const auto piece = entity.next(reader).value();
      more = piece.more;
      if (piece.initial) text += "[" + std::string(piece.initial->value) + "]";
      for (const Change& change : piece.changes) {
        if (!text.empty()) text += ' ';
        text += change.removed ? "-" : std::string(change.value);
      }
    }
    return text;
  }

  base::ManualClock& clock;
  core::Hub hub;
  std::unique_ptr<Recorder> recorder;
  std::size_t restored = 0;
};

}  // namespace hearth::recorder
