// SPDX-License-Identifier: Apache-2.0
#include "recorder/history_writer.h"

#include <algorithm>
#include <unordered_set>

#include "recorder/log/history_file.h"

namespace hearth::recorder {
namespace {

using base::Result;
using storage::Statement;

std::optional<std::string_view> optional_text(std::string_view text) {
  if (text.empty()) return {};
  return text;
}

}  // namespace

Result<HistoryWriter> HistoryWriter::open(const std::filesystem::path& file, Keeps keeps) {
  auto database = open_history(file);
  if (!database) return std::unexpected(std::move(database.error()));
  auto name = history_name(*database);
  if (!name) return std::unexpected(std::move(name.error()));
  if (name->empty()) {
    // Lost with a part of the file: a new name, as for a new file.
    if (auto named = database->execute("INSERT INTO history VALUES(lower(hex(randomblob(16))))"); !named)
      return std::unexpected(std::move(named.error()));
    name = history_name(*database);
    if (!name) return std::unexpected(std::move(name.error()));
  }
  HistoryWriter writer(std::move(*database), std::move(*name), std::move(keeps));
  if (auto prepared = writer.prepare(); !prepared) return std::unexpected(std::move(prepared.error()));
  if (auto read = writer.refresh(); !read) return std::unexpected(std::move(read.error()));
  return writer;
}

Result<void> HistoryWriter::prepare() {
  const std::pair<std::optional<Statement>*, std::string_view> statements[] = {
      {&add_change_, "INSERT INTO changes VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"},
      {&add_event_, "INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?)"},
      {&add_set_, "INSERT INTO attribute_sets VALUES(?, ?)"},
      {&find_entity_, "SELECT id FROM entities WHERE entity_id = ?"},
      {&add_entity_, "INSERT INTO entities(entity_id) VALUES(?) RETURNING id"},
      {&find_user_, "SELECT id FROM users WHERE user_id = ?"},
      {&add_user_, "INSERT INTO users(user_id) VALUES(?) RETURNING id"},
  };
  for (const auto& [statement, sql] : statements) {
    auto prepared = database_.prepare(sql);
    if (!prepared) return std::unexpected(std::move(prepared.error()));
    statement->emplace(std::move(*prepared));
  }
  return {};
}

void HistoryWriter::forget() {
  sets_.clear();
  set_bytes_ = 0;
  deferred_.clear();
  entities_.clear();
  users_.clear();
}

Result<void> HistoryWriter::refresh() {
  forget();
  auto select = database_.prepare(
      "SELECT coalesce(max(id), 0), count(*), (SELECT updated FROM changes ORDER BY id LIMIT 1), "
      "max(coalesce((SELECT max(id) FROM events), 0), coalesce(max(id), 0)), "
      "coalesce((SELECT max(id) FROM attribute_sets), 0) FROM changes");
  if (!select) return std::unexpected(std::move(select.error()));
  if (auto row = select->step(); !row) return std::unexpected(std::move(row.error()));
  log_size_ = static_cast<std::size_t>(select->integer(1));
  log_day_.reset();
  // The one that always stays was counted when its day was packed.
  if (log_size_ > 1) log_day_ = day_of(select->timestamp(2));
  last_change_ = appended_change_ = select->integer(3);
  last_set_ = select->integer(4);
  appended_ = 0;
  appended_day_ = log_day_;
  return {};
}

Result<void> HistoryWriter::begin() {
  if (database_.in_transaction()) return {};
  return database_.execute("BEGIN IMMEDIATE");
}

Result<LogEntry*> HistoryWriter::append(LogEntry& entry) {
  if (auto begun = begin(); !begun) return std::unexpected(std::move(begun.error()));
  if (entry.is_rename()) {
    if (auto done = rename(*entry.event->registry_change); !done) return std::unexpected(std::move(done.error()));
    return nullptr;
  }
  Entity* of = nullptr;
  if (entry.is_change()) {
    const auto known = entity(entry.state->entity_id());
    if (!known) return std::unexpected(known.error());
    of = *known;
  }
  if (of && of->kept != Kept::history) {
    if (!of->newest) deferred_.push_back(of);
    return std::exchange(of->newest, &entry);
  }
  if (auto done = of ? append_change(entry, *of) : append_event(entry); !done)
    return std::unexpected(std::move(done.error()));
  return nullptr;
}

Result<void> HistoryWriter::append_newest() {
  std::ranges::sort(deferred_, {}, [](const Entity* entity) { return entity->newest->id; });
  for (Entity* const entity : deferred_) {
    LogEntry* const newest = std::exchange(entity->newest, nullptr);
    if (entity->kept == Kept::nothing) continue;
    if (auto done = append_change(*newest, *entity); !done) return done;
  }
  deferred_.clear();
  return {};
}

Result<void> HistoryWriter::append_change(const LogEntry& entry, Entity& entity) {
  const EntryChange read(entry);
  const Change& change = read.change();
  std::optional<std::int64_t> set;
  std::optional<std::string_view> value;
  if (!change.removed) {
    const auto stored = attribute_set(entity, entry.state);
    if (!stored) return std::unexpected(stored.error());
    set = *stored;
    value = change.value;
  } else {
    entity.latest.reset();
    entity.set = 0;
  }
  std::optional<base::Timestamp> changed;
  if (change.changed != change.updated) changed = change.changed;
  const auto by = user(change.user_id);
  if (!by) return std::unexpected(by.error());
  auto done = add_change_
                  ->bind_views(entry.id, entity.id, change.updated, changed, value, set,
                               optional_text(change.context_id), optional_text(change.parent_id), *by)
                  .run();
  if (!done) return done;
  ++appended_;
  appended_change_ = std::max(appended_change_, entry.id);
  if (!appended_day_) appended_day_ = day_of(change.updated);
  return {};
}

Result<void> HistoryWriter::append_event(const LogEntry& entry) {
  const core::Event& event = *entry.event;
  const auto by = user(event.context.user_id ? std::string_view(*event.context.user_id) : std::string_view());
  if (!by) return std::unexpected(by.error());
  std::string data;
  core::write_data_json(data, event);
  auto done =
      add_event_->bind(entry.id, event.time_fired, event.type, data, event.context.id, event.context.parent_id, *by)
          .run();
  if (done) appended_change_ = std::max(appended_change_, entry.id);
  return done;
}

Result<void> HistoryWriter::commit() {
  if (auto done = append_newest(); !done) return done;
  if (database_.in_transaction()) {
    if (auto done = database_.execute("COMMIT"); !done) return done;
  }
  log_size_ += std::exchange(appended_, 0);
  last_change_ = appended_change_;
  log_day_ = appended_day_;
  return {};
}

void HistoryWriter::rollback() {
  if (database_.in_transaction()) static_cast<void>(database_.execute("ROLLBACK"));
  // These may remember rows of the transaction.
  forget();
  appended_ = 0;
  appended_change_ = last_change_;
  appended_day_ = log_day_;
}

Result<std::int64_t> HistoryWriter::number_of(Statement& find, Statement& add, std::string_view text) {
  for (Statement* const statement : {&find, &add}) {
    auto row = statement->bind(text).step();
    if (!row) return std::unexpected(std::move(row.error()));
    const std::int64_t number = *row ? statement->integer(0) : 0;
    // An unfinished statement would keep the transaction open.
    statement->restart();
    if (*row) return number;
  }
  return base::fail(base::ErrorCode::internal, "A text got no number.");
}

Result<HistoryWriter::Entity*> HistoryWriter::entity(std::string_view entity_id) {
  if (const auto known = entities_.find(entity_id); known != entities_.end()) return &known->second;
  const auto number = number_of(*find_entity_, *add_entity_, entity_id);
  if (!number) return std::unexpected(number.error());
  Entity& fresh = entities_[std::string(entity_id)];
  fresh.id = *number;
  fresh.kept = keeps_(entity_id);
  return &fresh;
}

Result<std::int64_t> HistoryWriter::attribute_set(Entity& entity, const core::StatePtr& state) {
  const std::string_view text = state->attributes_json();
  const bool same = entity.set != 0 && entity.latest->attributes_json() == text;
  entity.latest = state;
  if (same) return entity.set;
  if (const auto found = sets_.find(text); found != sets_.end()) return entity.set = found->second.id;
  if (auto added = add_set_->bind(last_set_ + 1, text).run(); !added) return std::unexpected(std::move(added.error()));
  if (sets_.size() >= kMaxSets || set_bytes_ >= kMaxSetBytes) {
    sets_.clear();
    set_bytes_ = 0;
  }
  sets_.emplace(text, Set{++last_set_, state});
  set_bytes_ += state->json().size();
  return entity.set = last_set_;
}

Result<std::optional<std::int64_t>> HistoryWriter::user(std::string_view user_id) {
  if (user_id.empty()) return std::optional<std::int64_t>();
  if (const auto known = users_.find(user_id); known != users_.end()) return std::optional(known->second);
  const auto stored = number_of(*find_user_, *add_user_, user_id);
  if (!stored) return std::unexpected(stored.error());
  users_.emplace(user_id, *stored);
  return std::optional(*stored);
}

Result<void> HistoryWriter::replay(std::int64_t after, base::Timestamp now, LastStates::States& states,
                                   LastStates::States& touched) {
  auto numbers = database_.prepare("SELECT id, entity FROM changes WHERE id > ? ORDER BY id DESC");
  if (!numbers) return std::unexpected(std::move(numbers.error()));
  auto select = database_.prepare(
      "SELECT entity_id, updated, changed, value, attribute_sets.attributes, context_id, parent_id, user_id "
      "FROM changes JOIN entities ON entities.id = entity LEFT JOIN attribute_sets ON attribute_sets.id = "
      "changes.attributes LEFT JOIN users ON users.id = user WHERE changes.id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  // An entity's newest change is enough if it makes a state; otherwise an earlier one may.
  std::unordered_set<std::int64_t> done;
  base::Result<void> failure;
  auto read = numbers->bind(after).for_each([&](const Statement& number) {
    if (!failure || done.contains(number.integer(1))) return;
    const auto row = select->bind(number.integer(0)).step();
    if (!row) failure = std::unexpected(row.error());
    if (row && *row && put_back(*select, now, states, touched)) done.insert(number.integer(1));
  });
  select->restart();
  if (!read) return read;
  return failure;
}

bool HistoryWriter::put_back(const Statement& row, base::Timestamp now, LastStates::States& states,
                             LastStates::States& touched) {
  std::string id(row.text(0));
  const auto updated = row.timestamp(1);
  const auto known = states.find(id);
  if (known != states.end() && LastStates::is_newer(*known->second, updated, now)) return true;
  core::StatePtr state;
  if (!row.is_null(3)) {
    state = make_state(id, row.text(3), row.text(4), {row.optional_timestamp(2).value_or(updated), updated},
                       {std::string(row.text(5)), row.optional_string(6), row.optional_string(7)});
    if (!state) return false;
    states.insert_or_assign(id, state);
  } else if (known != states.end()) {
    states.erase(known);
  }
  touched.emplace(std::move(id), std::move(state));
  return true;
}

}  // namespace hearth::recorder
