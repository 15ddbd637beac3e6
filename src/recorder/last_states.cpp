// SPDX-License-Identifier: Apache-2.0
#include "recorder/last_states.h"

#include <array>
#include <optional>

#include "base/json.h"
#include "base/log.h"
#include "base/utf8.h"
#include "core/state_machine.h"
#include "storage/migrate.h"

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

core::StatePtr make_state(std::string_view entity_id, std::string_view value, std::string_view attributes,
                          core::State::Times times, const core::Context& context) {
  const auto id = core::EntityId::parse(entity_id);
  const auto length = base::utf8_length(value);
  const auto parsed = base::parse_json(attributes);
  if (!id || !length || *length > core::StateMachine::kMaxValueLength || !parsed || !parsed->is_object())
    return nullptr;
  return core::State::create(*id, value, attributes, times, context);
}

Result<LastStates> LastStates::open(const std::filesystem::path& file) {
  // Batched, a write to the disk itself costs next to nothing.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "recorder", kLastStatesSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return LastStates(std::move(*database));
}

Result<LastStates::States> LastStates::load() {
  auto select = database_.prepare(
      "SELECT entity_id, value, attributes, last_changed, last_updated, context_id, context_parent_id, context_user_id "
      "FROM last_states");
  if (!select) return std::unexpected(std::move(select.error()));
  States states;
  auto read = select->for_each([&](const Statement& row) {
    auto state = make_state(row.text(0), row.text(1), row.text(2), {row.timestamp(3), row.timestamp(4)},
                            {row.text(5), row.optional_string(6), row.optional_string(7)});
    if (state) {
      states.emplace(row.text(0), std::move(state));
    } else {
      base::log_warning("recorder", "the stored state of {} is left out: it is damaged", row.text(0));
    }
  });
  if (!read) return std::unexpected(std::move(read.error()));
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
