// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/states_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/timestamp.h"
#include "core/values/entity_id.h"
#include "import_ha/steps/item_reader.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::string_view kRestoredStates = "core.restore_state";
constexpr std::string_view kUnavailable = "unavailable";
// So many of an entity's newest rows are looked at for one with its last value.
constexpr int kRowsToLookAt = 1'000;

std::string text_of(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::object object_of(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_object() ? value->get_object() : json::object();
}

// A number as the old hub keeps it: {"__type": "<class 'decimal.Decimal'>", "decimal_str": "1.5"}, or plainly.
std::string number_text(const json::value& value) {
  if (value.is_object()) return text_of(value.get_object(), "decimal_str");
  if (value.is_string()) return std::string(value.get_string());
  return value.is_number() ? base::to_json(value) : std::string();
}

// A sum goes on counting even if its sensor could not be read at last.
void use_native_value(RestoredState& state) {
  const json::value* const native = state.extra.if_contains("native_value");
  const bool without = state.value == kUnavailable || state.value == "unknown";
  if (!native || !without) return;
  if (std::string text = number_text(*native); !text.empty()) state.value = std::move(text);
}

class LastStatesImport {
 public:
  LastStatesImport(const StatesPlan& plan, Report& report) : plan_(plan), report_(report) {}

  Result<recorder::LastStates::States> run() {
    if (plan_.history) {
      if (auto read = find_numbers(); !read) return std::unexpected(std::move(read.error()));
    }
    for (const auto& [entity_id, state] : plan_.restored) {
      if (plan_.use(entity_id) != StatesPlan::Use::provided) continue;
      if (auto added = add_restored(entity_id, state); !added) return std::unexpected(std::move(added.error()));
    }
    for (const auto& [entity_id, number] : numbers_) {
      if (plan_.use(entity_id) != StatesPlan::Use::unregistered) continue;
      if (auto added = add_newest(entity_id, number); !added) return std::unexpected(std::move(added.error()));
    }
    return std::move(states_);
  }

 private:
  Result<void> find_numbers() {
    auto select = plan_.history->connection().prepare("SELECT entity_id, metadata_id FROM states_meta");
    if (!select) return std::unexpected(std::move(select.error()));
    return select->for_each([&](const storage::Statement& row) {
      const auto id = core::EntityId::parse(row.text(0));
      if (id && id->str() == row.text(0)) numbers_[std::string(row.text(0))] = row.integer(1);
    });
  }

  Result<void> add_restored(const std::string& entity_id, RestoredState state) {
    use_native_value(state);
    if (plan_.automations_off && entity_id.starts_with("automation.")) state.value = "off";
    core::State::Times times{state.updated, state.updated};
    if (const auto number = numbers_.find(entity_id); number != numbers_.end()) {
      auto select = plan_.history->connection().prepare(
          "SELECT CAST(round(last_updated_ts * 1e6) AS INTEGER), "
          "CAST(round(coalesce(last_changed_ts, last_updated_ts) * 1e6) AS INTEGER) FROM (SELECT * FROM states WHERE "
          "metadata_id = ?1 "
          "ORDER BY last_updated_ts DESC LIMIT ?2) WHERE state = ?3 LIMIT 1");
      if (!select) return std::unexpected(std::move(select.error()));
      const auto row = select->bind(number->second, kRowsToLookAt, state.value).step();
      if (!row) return std::unexpected(row.error());
      if (*row && select->integer(0) > 0)
        times = {std::min(select->timestamp(0), select->timestamp(1)), select->timestamp(0)};
    }
    add(entity_id, state.value, base::to_json(state.attributes), times,
        {base::Id(state.context_id),
         {},
         state.user_id.empty() ? std::optional<base::Id>() : std::optional(base::Id(state.user_id))});
    return {};
  }

  Result<void> add_newest(const std::string& entity_id, std::int64_t number) {
    auto select = plan_.history->connection().prepare(
        "SELECT s.state, a.shared_attrs, CAST(round(s.last_updated_ts * 1e6) AS INTEGER), "
        "CAST(round(coalesce(s.last_changed_ts, s.last_updated_ts) * 1e6) AS INTEGER) FROM states s "
        "LEFT JOIN state_attributes a ON a.attributes_id = s.attributes_id "
        "WHERE s.metadata_id = ? ORDER BY s.last_updated_ts DESC LIMIT 1");
    if (!select) return std::unexpected(std::move(select.error()));
    const auto row = select->bind(number).step();
    if (!row) return std::unexpected(row.error());
    // Without a value it was removed.
    if (!*row || select->is_null(0)) return {};
    if (select->integer(2) <= 0) return {};
    const auto attributes = base::parse_json(select->is_null(1) ? std::string_view("{}") : select->text(1));
    if (attributes && attributes->is_object() &&
        attributes->get_object().if_contains("restored"))  // nothing has brought it since the start
      return {};
    add(entity_id, std::string(select->text(0)),
        attributes && attributes->is_object() ? base::to_json(*attributes) : std::string("{}"),
        {std::min(select->timestamp(2), select->timestamp(3)), select->timestamp(2)}, {});
    return {};
  }

  void add(const std::string& entity_id, const std::string& value, const std::string& attributes,
           core::State::Times times, core::Context context) {
    if (context.id.empty()) context.id = core::Context::create(times.last_updated).id;
    auto state = recorder::make_state(entity_id, value, attributes, times, context);
    report_.count("last_states", state ? Fate::carried : Fate::left);
    if (state) states_[entity_id] = std::move(state);
  }

  const StatesPlan& plan_;
  Report& report_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;  // metadata ids by entity id
  recorder::LastStates::States states_;
};

}  // namespace

Result<RestoredStates> read_restored_states(const Source& source, Report& report) {
  auto file = source.read_storage(kRestoredStates, report);
  if (!file) return std::unexpected(std::move(file.error()));
  RestoredStates states;
  if (!*file) return states;
  const json::array* const list = (*file)->data.if_array();
  if (!list) {
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: data is no list.", (*file)->file));
  }
  for (const json::value& each : *list) {
    const json::object* const entry = each.if_object();
    const json::object state = entry ? object_of(*entry, "state") : json::object();
    const auto entity_id = core::EntityId::parse(text_of(state, "entity_id"));
    RestoredState made{.value = text_of(state, "state"),
                       .attributes = object_of(state, "attributes"),
                       .extra = entry ? object_of(*entry, "extra_data") : json::object(),
                       .updated = base::parse_timestamp(text_of(state, "last_updated")).value_or(base::Timestamp()),
                       .context_id = {},
                       .user_id = {}};
    const json::object context = object_of(state, "context");
    made.context_id = text_of(context, "id");
    made.user_id = text_of(context, "user_id");
    const json::value* const restored = made.attributes.if_contains("restored");
    if (!entity_id || made.value.empty() || made.updated == base::Timestamp() ||
        (made.value == kUnavailable && restored && *restored == json::value(true)))
      continue;
    states[std::string(entity_id->str())] = std::move(made);
  }
  return states;
}

Result<recorder::LastStates::States> last_states_of(const StatesPlan& plan, Report& report) {
  return LastStatesImport(plan, report).run();
}

}  // namespace hearth::import_ha
