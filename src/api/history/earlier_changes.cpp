// SPDX-License-Identifier: Apache-2.0
#include "api/history/earlier_changes.h"

#include <cmath>

namespace hearth::api {
namespace {

// Seconds since 1970.
std::optional<base::Timestamp> time_at(const json::object& row, std::string_view key) {
  const json::value* const found = row.if_contains(key);
  if (!found || !found->is_number()) return {};
  const auto seconds = found->to_number<double>();
  if (!(seconds > 0) || seconds > 1e11) return {};
  return base::Timestamp(base::Duration(std::llround(seconds * 1e6)));
}

}  // namespace

recorder::ChangeList changes_of(const Earlier& earlier) {
  recorder::ChangeList changes;
  for (const json::value& each : earlier.rows) {
    const json::object* const row = each.if_object();
    const json::value* const value = row ? row->if_contains("s") : nullptr;
    const auto updated = row ? time_at(*row, "lu") : std::nullopt;
    if (!value || !value->is_string() || !updated || *updated >= earlier.until) continue;
    const json::value* const attributes = row->if_contains("a");
    const std::string text = attributes && attributes->is_object() ? base::to_json(*attributes) : "{}";
    recorder::Change change;
    change.updated = *updated;
    change.changed = std::min(time_at(*row, "lc").value_or(*updated), *updated);
    change.value = std::string_view(value->get_string());
    change.attributes = text;
    changes.add(change);
  }
  changes.sort_by_time();
  return changes;
}

void with_earlier_changes(const core::View& home, recorder::History* history, HistoryOptions options,
                          std::function<void(HistoryOptions options)> done) {
  EarlierQuestion question{.entity_ids = options.entity_ids,
                           .span = options.span,
                           .command = {{"type", "history/history_during_period"},
                                       {"include_start_time_state", options.initial},
                                       {"significant_changes_only", options.significant},
                                       {"minimal_response", false},
                                       {"no_attributes", !options.attributes}},
                           .ids_key = "entity_ids",
                           .first = first_change};
  question.span.end = std::min(question.span.end, home.clock().now());
  ask_earlier(home, history, std::move(question),
              [options = std::move(options), done = std::move(done)](const EarlierById& earlier) mutable {
                auto changes = std::make_shared<HistoryOptions::Earlier>();
                for (const auto& [id, of_entity] : earlier) {
                  if (auto list = changes_of(of_entity); !list.empty()) changes->emplace(id, std::move(list));
                }
                if (!changes->empty()) options.earlier = std::move(changes);
                done(std::move(options));
              });
}

}  // namespace hearth::api
