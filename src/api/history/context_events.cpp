// SPDX-License-Identifier: Apache-2.0
#include "api/history/context_events.h"

#include <algorithm>
#include <set>

namespace hearth::api {
namespace {

bool is_run(const ContextEvents::Kept& event) {
  return event.type == "automation_triggered" || event.type == "script_started";
}

bool is_call(const ContextEvents::Kept& event) {
  return event.type == core::event_type::kCallService;
}

}  // namespace

base::Result<void> ContextEvents::cover(base::Timestamp from, base::Timestamp until) {
  const bool adjoins = begin_ && *begin_ <= until;  // otherwise nobody asks for what is between
  if (adjoins)
    std::erase_if(notes_, [&](const Note& note) { return note.fired > until; });
  else
    notes_.clear();
  if (adjoins && *begin_ <= from) return {};
  const auto read = read_(from, adjoins ? *begin_ - base::Duration(1) : until, [&](const Kept& event) {
    notes_.push_back({event.context.id, event.fired, is_call(event), is_run(event), event.context.parent_id.has_value(),
                      event.context.user_id.has_value()});
    return true;
  });
  if (!read) {
    begin_.reset();
    return std::unexpected(read.error());
  }
  begin_ = from;
  return {};
}

std::vector<base::Timestamp> ContextEvents::telling_times(std::string_view context_id, base::Timestamp from) const {
  std::optional<base::Timestamp> call, run, parent, user;
  const auto note_last = [](std::optional<base::Timestamp>& last, base::Timestamp time) {
    if (!last || *last < time) last = time;
  };
  for (const Note& note : notes_) {
    if (note.fired < from || note.context != context_id) continue;
    if (note.is_call) note_last(call, note.fired);
    if (note.is_run) note_last(run, note.fired);
    if (note.has_parent) note_last(parent, note.fired);
    if (note.has_user) note_last(user, note.fired);
  }
  std::set<base::Timestamp> times;
  for (const auto& time : {call, run, parent, user}) {
    if (time) times.insert(*time);
  }
  return {times.begin(), times.end()};
}

base::Result<ContextEvents::Found> ContextEvents::find(std::string_view context_id, base::Timestamp from,
                                                       base::Timestamp until) {
  if (auto covered = cover(from, until); !covered) return std::unexpected(std::move(covered.error()));
  Found found;
  for (const base::Timestamp time : telling_times(context_id, from)) {
    const auto read = read_(time, time, [&](const Kept& event) {
      if (event.context.id != context_id) return true;
      if (event.context.parent_id) found.parent_id = event.context.parent_id;
      if (event.context.user_id) found.user_id = event.context.user_id;
      if (is_run(event)) found.run = event;
      if (is_call(event)) found.call = event;
      return true;
    });
    if (!read) return std::unexpected(read.error());
  }
  return found;
}

}  // namespace hearth::api
