// SPDX-License-Identifier: Apache-2.0
#include "recorder/state_store.h"

#include <array>
#include <optional>
#include <vector>

#include "base/json.h"
#include "base/log.h"
#include "base/utf8.h"
#include "storage/migrate.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

constexpr std::array<std::string_view, 1> kSteps{R"(
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
)"};

std::optional<std::string> owned(std::optional<std::string_view> text) {
  if (!text) return {};
  return std::string(*text);
}

// Null where the row makes no state, as when somebody has edited the file.
core::StatePtr read_state(const Statement& row) {
  const auto id = core::EntityId::parse(row.text(0));
  const auto length = base::utf8_length(row.text(1));
  const auto attributes = base::parse_json(row.text(2));
  if (!id || !length || *length > core::StateMachine::kMaxValueLength || !attributes || !attributes->is_object())
    return nullptr;
  return core::State::create(*id, row.text(1), row.text(2), {row.timestamp(3), row.timestamp(4)},
                             {std::string(row.text(5)), owned(row.optional_text(6)), owned(row.optional_text(7))});
}

}  // namespace

StateStore::StateStore(storage::Database database, std::chrono::milliseconds commit_interval)
    : database_(std::move(database)), thread_("states", commit_interval, [this] { return commit(); }) {}

StateStore::~StateStore() {
  stop();
}

Result<std::unique_ptr<StateStore>> StateStore::open(const std::filesystem::path& file,
                                                     std::chrono::milliseconds commit_interval) {
  // Batched, a write to the disk itself costs next to nothing.
  auto database = storage::Database::open(file, storage::Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "recorder", kSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  return std::unique_ptr<StateStore>(new StateStore(std::move(*database), commit_interval));
}

Result<std::size_t> StateStore::restore(core::StateMachine& states) {
  auto select = database_.prepare(
      "SELECT entity_id, value, attributes, last_changed, last_updated, context_id, context_parent_id, context_user_id "
      "FROM last_states");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<core::StatePtr> kept;
  auto read = select->for_each([&](const Statement& row) {
    if (auto state = read_state(row)) {
      kept.push_back(std::move(state));
    } else {
      base::log_warning("recorder", "the stored state of {} is left out: it is damaged", row.text(0));
    }
  });
  if (!read) return std::unexpected(std::move(read.error()));
  states.restore(kept);
  return kept.size();
}

void StateStore::listen(core::EventBus& bus) {
  const auto remember = [this](const core::Event& event) {
    if (const auto* const change = event.state_change()) on_change(*change);
  };
  subscription_ = bus.listen(core::event_type::kStateChanged, remember, core::Pace::relaxed);
}

void StateStore::on_change(const core::StateChange& change) {
  const auto& known = change.new_state ? change.new_state : change.old_state;
  {
    base::MutexLock lock(mutex_);
    changes_.insert_or_assign(std::string(known->entity_id()), change.new_state);
  }
  thread_.wake();
}

void StateStore::stop() {
  subscription_ = {};
  thread_.stop();
}

Result<void> StateStore::commit() {
  Changes changes;
  {
    base::MutexLock lock(mutex_);
    changes.swap(changes_);
  }
  if (changes.empty()) return {};
  auto written = write(changes);
  if (!written) {
    base::MutexLock lock(mutex_);
    changes_.merge(changes);  // what changed meanwhile stays
  }
  return written;
}

Result<void> StateStore::write(const Changes& changes) {
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
  return transaction->commit();
}

}  // namespace hearth::recorder
