// SPDX-License-Identifier: Apache-2.0
// Asks other hubs for the time before the first record that their entities have here (`history: remote` of the section
// home_assistant). Nothing of it is stored. Without an answer there is nothing, and a note in the log.
//
// Bounds: kMostEntities of a hub and kMostTime of each, the latest; kMostRows of each entity.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "core/view.h"
#include "recorder/history.h"
#include "recorder/history/entity_history.h"

namespace hearth::api {

struct Earlier {
  json::array rows;       // as the hub there has sent them
  base::Timestamp until;  // the first record here; what does not begin before it is to be left out
};
using EarlierById = std::map<std::string, Earlier, std::less<>>;

struct EarlierQuestion {
  static constexpr std::size_t kMostEntities = 50, kMostRows = 100'000;
  static constexpr std::chrono::days kMostTime{31};

  std::vector<std::string> entity_ids;
  recorder::Span span;
  json::object command;      // without ids and times
  std::string_view ids_key;  // of the command
  // The time of the first record within the span, its end if there is none; null if there are earlier ones. History's
  // thread.
  std::function<base::Result<std::optional<base::Timestamp>>(recorder::HistoryReader&, const std::string&,
                                                             recorder::Span)>
      first;
};

// False if there is nobody to ask.
bool may_ask_earlier(const core::View& home, const std::vector<std::string>& entity_ids);
// Calls `done` once: at once if there is nobody to ask, otherwise on another thread. `history` may be null.
void ask_earlier(const core::View& home, recorder::History* history, EarlierQuestion question,
                 std::function<void(EarlierById)> done);

// The first change of the entity, as EarlierQuestion::first.
base::Result<std::optional<base::Timestamp>> first_change(recorder::HistoryReader& reader, const std::string& entity_id,
                                                          recorder::Span span);

}  // namespace hearth::api
