// SPDX-License-Identifier: Apache-2.0
// The keys of automations' entries in the journal, by kind. Homes keep them over versions: they never change.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/id.h"
#include "core/journal.h"

namespace hearth::automation::keys {

constexpr std::string_view kRuns = "run/", kTraces = "trace/", kMissed = "missed/";

// The head of a run: its steps under way. `run`: the id of its context.
inline std::string run(const base::Id& run) {
  return fmt::format("{}{}", kRuns, run.str());
}
inline bool is_run(std::string_view key) {
  return key.starts_with(kRuns) && !key.substr(kRuns.size()).contains('/');
}
// A large value of the run with that head.
inline std::string value_of_run(std::string_view head, std::uint64_t number) {
  return fmt::format("{}/{}", head, number);
}
// A part of the trace of the run with that head.
inline std::string trace_of_run(std::string_view head, std::size_t part) {
  return fmt::format("{}/trace/{}", head, part);
}
// The finished trace of an item; later orders are greater.
inline std::string trace(std::string_view item, std::string_view order) {
  return fmt::format("{}{}/{}", kTraces, item, order);
}
// Its text, which is read on its own.
inline std::string trace_text(std::string_view item, std::string_view order) {
  return fmt::format("{}trace/{}/{}", core::Journal::kArchive, item, order);
}
inline std::string missed(std::uint64_t number) {
  return fmt::format("{}{:012}", kMissed, number);
}
// The clocks of a trigger's `for`; each with its entity behind that.
inline std::string clocks(std::string_view place) {
  return fmt::format("clock/{}/", place);
}
// Notes of a trigger; each with its entity behind that.
inline std::string notes(std::string_view kind, std::string_view place) {
  return fmt::format("{}/{}/", kind, place);
}
// Why an automation was stopped.
inline std::string stopped(std::string_view unique_id) {
  return fmt::format("stopped/{}", unique_id);
}

}  // namespace hearth::automation::keys
