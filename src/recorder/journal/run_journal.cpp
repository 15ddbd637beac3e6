// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/run_journal.h"

#include <array>

#include "base/log/log.h"
#include "base/random_id.h"
#include "recorder/journal/last_states.h"

namespace hearth::recorder {
namespace {

using base::Result;

constexpr std::array<std::string_view, 2> kJournalSteps{
    R"(
  CREATE TABLE journal(key TEXT PRIMARY KEY, entry TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE journal_states(
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
    // Of the log that belongs to what is in the table: that of another one is out of date.
    "CREATE TABLE journal_log(generation TEXT NOT NULL) STRICT;"};

}  // namespace

storage::Schema RunJournal::schema() {
  return {"journal", kJournalSteps};
}

RunJournal::RunJournal(std::unique_ptr<storage::Checkpointer> checkpointer, storage::Database database,
                       const std::filesystem::path& file, core::Hub& hub)
    : checkpointer_(std::move(checkpointer)),
      database_(std::move(database)),
      log_(std::filesystem::path(file) += "-runs"),
      bus_(hub.bus),
      entity_listeners_(hub.entity_listeners),
      thread_("journal", "what is under way", kCommitInterval, [this] { return commit(); }) {
  checkpointer_->serve(database_);
}

RunJournal::~RunJournal() {
  stop();
}

Result<std::unique_ptr<RunJournal>> RunJournal::open(const std::filesystem::path& file, core::Hub& hub) {
  auto database = storage::Database::open(file, storage::Durability::normal);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "journal", kJournalSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  auto checkpointer = storage::Checkpointer::open(file);
  if (!checkpointer) return std::unexpected(std::move(checkpointer.error()));
  std::unique_ptr<RunJournal> journal(new RunJournal(std::move(*checkpointer), std::move(*database), file, hub));
  if (auto taken = journal->take_log(); !taken) return std::unexpected(std::move(taken.error()));
  return journal;
}

Result<void> RunJournal::take_log() {
  auto select = database_.prepare("SELECT generation FROM journal_log");
  if (!select) return std::unexpected(std::move(select.error()));
  return select->for_each([this](const storage::Statement& row) { logged_ = log_.read(row.text(0)); });
}

Result<void> RunJournal::clear(const std::filesystem::path& file) {
  auto database = storage::Database::open(file, storage::Durability::normal);
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "journal", kJournalSteps); !ready) return ready;
  return database->execute("DELETE FROM journal; DELETE FROM journal_states; DELETE FROM journal_log;");
}

Result<core::Journal::Entries> RunJournal::entries() {
  auto select = database_.prepare("SELECT key, entry FROM journal WHERE substr(key, 1, ?) <> ?");
  if (!select) return std::unexpected(std::move(select.error()));
  select->bind(static_cast<std::int64_t>(kArchive.size()), kArchive);
  Entries entries;
  auto read = select->for_each([&](const storage::Statement& row) { entries.emplace(row.text(0), row.text(1)); });
  if (!read) return std::unexpected(std::move(read.error()));
  for (const auto& [key, text] : logged_) {
    if (!text)
      entries.erase(key);
    else if (!key.starts_with(kArchive))
      entries.insert_or_assign(key, *text);
  }
  return entries;
}

Result<std::vector<core::StatePtr>> RunJournal::states() {
  auto select = database_.prepare(
      "SELECT entity_id, value, attributes, last_changed, last_updated, context_id, context_parent_id, context_user_id "
      "FROM journal_states");
  if (!select) return std::unexpected(std::move(select.error()));
  std::vector<core::StatePtr> states;
  auto read = select->for_each([&](const storage::Statement& row) {
    auto state = make_state(row.text(0), row.text(1), row.text(2), {row.timestamp(3), row.timestamp(4)},
                            {row.text(5), row.optional_string(6), row.optional_string(7)});
    if (state) states.push_back(std::move(state));
  });
  if (!read) return std::unexpected(std::move(read.error()));
  for (const core::StatePtr& state : states) follow(std::string(state->entity_id()));
  return states;
}

void RunJournal::follow(const std::string& entity_id) {
  if (followed_.contains(entity_id)) return;
  followed_[entity_id] =
      entity_listeners_.listen({entity_id}, [this, entity_id](const core::StateChange& change, const core::Event&) {
        if (change.new_state) return;
        {
          base::MutexLock lock(mutex_);
          pending_.states.insert_or_assign(entity_id, nullptr);
        }
        thread_.wake();
      });
}

void RunJournal::change(std::string key, std::optional<std::string> text) {
  {
    base::MutexLock lock(mutex_);
    pending_.entries.insert_or_assign(std::move(key), std::move(text));
  }
  thread_.wake();
}

void RunJournal::put(std::string key, std::string text) {
  change(std::move(key), std::move(text));
}

void RunJournal::remove(std::string_view key) {
  change(std::string(key), {});
}

void RunJournal::keep(core::StatePtr state) {
  std::string id(state->entity_id());
  follow(id);
  base::MutexLock lock(mutex_);
  pending_.states.insert_or_assign(std::move(id), std::move(state));
}

void RunJournal::read(std::string key, std::function<void(std::optional<std::string> text)> read) {
  const auto answer = [this, read = std::move(read)](std::optional<std::string> text) {
    const std::size_t weight = core::EventBus::kSmallTask + (text ? text->size() : 0);
    static_cast<void>(
        bus_.post(core::IfFull::pass, weight, [read, text = std::move(text)]() mutable { read(std::move(text)); }));
  };
  if (!thread_.post([this, key = std::move(key), answer] { answer(find(key)); })) answer({});
}

std::optional<std::string> RunJournal::find(const std::string& key) {
  {
    base::MutexLock lock(mutex_);
    const auto found = pending_.entries.find(key);
    if (found != pending_.entries.end()) return found->second;
  }
  if (const auto found = logged_.find(key); found != logged_.end()) return found->second;
  auto select = database_.prepare("SELECT entry FROM journal WHERE key = ?");
  if (!select) return {};
  const auto row = select->bind(key).step();
  return row && *row ? std::optional(std::string(select->text(0))) : std::nullopt;
}

void RunJournal::when_written(std::function<void()> written) {
  {
    base::MutexLock lock(mutex_);
    waiting_.push_back(std::move(written));
    if (std::exchange(hurries_, true)) return;
  }
  thread_.flush([](const Result<void>&) {});
}

bool RunJournal::has_unwritten() const {
  base::MutexLock lock(mutex_);
  return writes_ || !pending_.empty();
}

Result<void> RunJournal::commit() {
  Pending pending;
  std::vector<std::function<void()>> waiting;
  {
    base::MutexLock lock(mutex_);
    pending = std::exchange(pending_, {});
    waiting = std::exchange(waiting_, {});
    hurries_ = false;
    writes_ = !pending.empty();
  }
  auto written = write(pending);
  {
    base::MutexLock lock(mutex_);
    writes_ = false;
    if (!written) {
      pending_.entries.merge(pending.entries);  // newer ones stay
      pending_.states.merge(pending.states);
    }
  }
  // A home whose disk is full still switches its lights.
  if (!waiting.empty()) {
    static_cast<void>(bus_.post(core::IfFull::pass, core::EventBus::kSmallTask, [waiting = std::move(waiting)] {
      for (const auto& each : waiting) each();
    }));
  }
  return written;
}

Result<void> RunJournal::write(const Pending& pending) {
  if (pending.empty()) return {};
  // A log that cannot be written is no reason to lose anything: the database has it all.
  if (!pending.states.empty() || !log_.append(pending.entries).value_or(false)) return write_through(pending);
  for (const auto& [key, text] : pending.entries) logged_.insert_or_assign(key, text);
  return {};
}

Result<void> RunJournal::write_through(const Pending& pending) {
  const std::string generation = base::make_random_id();
  Pending all = pending;
  all.entries.insert(logged_.begin(), logged_.end());  // newer ones stay
  if (auto written = write_rows(all, generation); !written) return written;
  logged_.clear();
  static_cast<void>(log_.begin(generation));
  return {};
}

Result<void> RunJournal::write_rows(const Pending& pending, std::string_view generation) {
  auto transaction = storage::Transaction::begin(database_, storage::Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  auto put = database_.prepare("INSERT OR REPLACE INTO journal VALUES(?, ?)");
  if (!put) return std::unexpected(std::move(put.error()));
  auto remove = database_.prepare("DELETE FROM journal WHERE key = ?");
  if (!remove) return std::unexpected(std::move(remove.error()));
  for (const auto& [key, text] : pending.entries) {
    auto done = text ? put->bind(key, *text).run() : remove->bind(key).run();
    if (!done) return done;
  }
  auto keep = database_.prepare("INSERT OR REPLACE INTO journal_states VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  if (!keep) return std::unexpected(std::move(keep.error()));
  auto drop = database_.prepare("DELETE FROM journal_states WHERE entity_id = ?");
  if (!drop) return std::unexpected(std::move(drop.error()));
  for (const auto& [id, state] : pending.states) {
    if (!state) {
      if (auto done = drop->bind(id).run(); !done) return done;
      continue;
    }
    const core::Context context = state->context();
    auto done = keep->bind(id, state->value(), state->attributes_json(), state->last_changed(), state->last_updated(),
                           context.id, context.parent_id, context.user_id)
                    .run();
    if (!done) return done;
  }
  if (auto done = database_.execute("DELETE FROM journal_log"); !done) return done;
  if (auto done = database_.run("INSERT INTO journal_log VALUES(?)", generation); !done)
    return std::unexpected(std::move(done.error()));
  return transaction->commit();
}

}  // namespace hearth::recorder
