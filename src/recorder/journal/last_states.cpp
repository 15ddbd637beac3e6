// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/last_states.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/json/json.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/states/state_machine.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

constexpr std::array<std::string_view, 2> kLastStatesSteps{R"(
  CREATE TABLE last_states(
    entity_id TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    attributes TEXT NOT NULL,
    last_changed INTEGER NOT NULL,
    last_updated INTEGER NOT NULL,
    context_id TEXT NOT NULL,
    context_parent_id TEXT,
    context_user_id TEXT
  ) STRICT, WITHOUT ROWID;
)",
                                                           R"(
  CREATE TABLE last_states_mark(history TEXT NOT NULL, change INTEGER NOT NULL) STRICT;
  INSERT INTO last_states_mark VALUES('', 0);
)"};

}  // namespace

storage::Schema LastStates::schema() {
  return {"recorder", kLastStatesSteps};
}

core::StatePtr make_state(std::string_view entity_id, std::string_view value, std::string_view attributes,
                          core::State::Times times, const core::Context& context) {
  const auto id = core::EntityId::parse(entity_id);
  const auto length = base::utf8_length(value);
  const auto parsed = base::parse_json(attributes);
  if (!id || !length || *length > core::StateMachine::kMaxValueLength || !parsed || !parsed->is_object())
    return nullptr;
  return core::State::create(*id, value, attributes, times, context);
}

void warn_of_left_out(std::vector<std::string> entities, const core::Limits& limits) {
  if (entities.empty()) return;
  constexpr std::size_t kNamed = 5;
  const std::size_t count = entities.size();
  if (count > kNamed) entities.resize(kNamed);
  base::log_warning("recorder",
                    "{} entities are not restored, {}{}: the home has room for {} entities and for {} of states "
                    "(limits: entities, states_size). They stay in home.db. To restore them, raise the limit and "
                    "restart; then remove the entities that nobody needs",
                    count, fmt::join(entities, ", "), count > kNamed ? " …" : "", limits.entities,
                    core::bytes_text(limits.states_bytes));
}

Result<LastStates> LastStates::open(const std::filesystem::path& file) {
  // Because writes are batched, syncing each costs next to nothing.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "recorder", kLastStatesSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return LastStates(std::move(*database));
}

// Sorted. Estimated from the stored strings, which are a little shorter than the JSON.
Result<std::vector<std::string>> LastStates::find_too_much(const core::Limits& limits) {
  struct Row {
    std::string entity_id;
    std::size_t attributes, bytes;
    base::Timestamp updated;
  };
  std::vector<Row> rows;
  std::size_t bytes = 0;
  auto select = database_.prepare(
      "SELECT entity_id, length(CAST(attributes AS BLOB)), length(CAST(value AS BLOB)), last_updated FROM last_states");
  if (!select) return std::unexpected(std::move(select.error()));
  auto read = select->for_each([&](const Statement& row) {
    const auto attributes = static_cast<std::size_t>(row.integer(1));
    rows.push_back({std::string(row.text(0)), attributes, attributes + static_cast<std::size_t>(row.integer(2)),
                    row.timestamp(3)});
    bytes += rows.back().bytes;
  });
  if (!read) return std::unexpected(std::move(read.error()));
  std::vector<std::string> left_out;
  if (bytes <= limits.states_bytes && rows.size() <= limits.entities) return left_out;
  const auto too_long = [&](const Row& row) { return row.attributes > limits.attributes_bytes; };
  std::ranges::sort(rows, [&](const Row& a, const Row& b) {
    return too_long(a) != too_long(b) ? too_long(b) : a.updated > b.updated;
  });
  std::size_t room = limits.states_bytes, places = limits.entities;
  for (Row& row : rows) {
    if (places == 0 || row.bytes > room) {
      left_out.push_back(std::move(row.entity_id));
    } else {
      --places;
      room -= row.bytes;
    }
  }
  std::ranges::sort(left_out);
  return left_out;
}

Result<LastStates::States> LastStates::load(const core::Limits& limits, std::vector<std::string>& left_out) {
  auto too_much = find_too_much(limits);
  if (!too_much) return std::unexpected(std::move(too_much.error()));
  auto select = database_.prepare(
      "SELECT entity_id, value, attributes, last_changed, last_updated, context_id, context_parent_id, context_user_id "
      "FROM last_states");
  if (!select) return std::unexpected(std::move(select.error()));
  States states;
  auto read = select->for_each([&](const Statement& row) {
    if (std::ranges::binary_search(*too_much, row.text(0))) return;
    auto state = make_state(row.text(0), row.text(1), row.text(2), {row.timestamp(3), row.timestamp(4)},
                            {row.text(5), row.optional_string(6), row.optional_string(7)});
    if (state) {
      states.emplace(row.text(0), std::move(state));
    } else {
      base::log_warning("recorder", "the stored state of {} is left out: it is damaged", row.text(0));
    }
  });
  if (!read) return std::unexpected(std::move(read.error()));
  left_out = std::move(*too_much);
  return states;
}

Result<LastStates::Mark> LastStates::mark() {
  auto select = database_.prepare("SELECT history, change FROM last_states_mark");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return Mark{};
  return Mark{std::string(select->text(0)), select->integer(1)};
}

Result<void> LastStates::save(const States& changes, const Mark& mark) {
  auto transaction = storage::Transaction::begin(database_, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto put = database_.prepare("INSERT OR REPLACE INTO last_states VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  if (!put) return std::unexpected(std::move(put.error()));
  auto remove = database_.prepare("DELETE FROM last_states WHERE entity_id = ?");
  if (!remove) return std::unexpected(std::move(remove.error()));
  for (const auto& [entity_id, state] : changes) {
    Result<void> done;
    if (state) {
      const core::Context context = state->context();
      done = put->bind(entity_id, state->value(), state->attributes_json(), state->last_changed(),
                       state->last_updated(), context.id, context.parent_id, context.user_id)
                 .run();
    } else {
      done = remove->bind(entity_id).run();
    }
    if (!done) return done;
  }
  if (auto marked = database_.run("UPDATE last_states_mark SET history = ?, change = ?", mark.history, mark.change);
      !marked)
    return std::unexpected(std::move(marked.error()));
  return transaction->commit();
}

}  // namespace hearth::recorder
