// SPDX-License-Identifier: Apache-2.0
// For tests: a database as the old hub has it, of several schemas, and what was recorded from it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import_ha/history/history_import.h"
#include "import_ha/history/old_values.h"
#include "recorder/history/past_writer.h"
#include "recorder/log/history_file.h"
#include "recorder/log/segment.h"
#include "storage/temporary_folder.h"

namespace hearth::import_ha {

inline constexpr base::Timestamp kOldNow{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
inline constexpr double kOldSeconds = 1'795'219'200;  // the same

class OldHistory {
 public:
  explicit OldHistory(const std::filesystem::path& file, int schema = 53)
      : database(storage::Database::open(file).value()), schema_(schema) {
    run("PRAGMA synchronous = OFF; BEGIN");
    run("CREATE TABLE schema_changes(change_id INTEGER PRIMARY KEY, schema_version INTEGER, changed TEXT)");
    run(fmt::format("INSERT INTO schema_changes VALUES(1, {}, '2026-01-01')", schema));
    run("CREATE TABLE states_meta(metadata_id INTEGER PRIMARY KEY, entity_id VARCHAR(255))");
    run("CREATE TABLE state_attributes(attributes_id INTEGER PRIMARY KEY, hash BIGINT, shared_attrs TEXT)");
    run(
        fmt::format("CREATE TABLE states(state_id INTEGER PRIMARY KEY, entity_id CHAR(0), state VARCHAR(255), "
                    "attributes CHAR(0), last_changed CHAR(0), last_changed_ts FLOAT, {}last_updated CHAR(0), "
                    "last_updated_ts FLOAT, attributes_id INTEGER, context_id CHAR(0), context_user_id CHAR(0), "
                    "context_parent_id CHAR(0), context_id_bin BLOB, context_user_id_bin BLOB, "
                    "context_parent_id_bin BLOB, metadata_id INTEGER)",
                    schema >= 43 ? "last_reported_ts FLOAT, " : ""));
    run("CREATE INDEX ix_states_metadata_id_last_updated_ts ON states(metadata_id, last_updated_ts)");
    run("CREATE INDEX ix_states_last_updated_ts ON states(last_updated_ts)");
    run("CREATE TABLE event_types(event_type_id INTEGER PRIMARY KEY, event_type VARCHAR(64))");
    run("CREATE TABLE event_data(data_id INTEGER PRIMARY KEY, hash BIGINT, shared_data TEXT)");
    run("CREATE TABLE events(event_id INTEGER PRIMARY KEY, event_type CHAR(0), event_data CHAR(0), "
        "time_fired CHAR(0), time_fired_ts FLOAT, context_id CHAR(0), context_user_id CHAR(0), "
        "context_parent_id CHAR(0), data_id INTEGER, context_id_bin BLOB, context_user_id_bin BLOB, "
        "context_parent_id_bin BLOB, event_type_id INTEGER)");
    run(
        fmt::format("CREATE TABLE statistics_meta(id INTEGER PRIMARY KEY, statistic_id VARCHAR(255), "
                    "source VARCHAR(32), unit_of_measurement VARCHAR(255), has_mean BOOLEAN, has_sum BOOLEAN, "
                    "name VARCHAR(255){}{})",
                    schema >= 49 ? ", mean_type INTEGER" : "", schema >= 52 ? ", unit_class VARCHAR(255)" : ""));
    for (const char* const table : {"statistics", "statistics_short_term"}) {
      run(
          fmt::format("CREATE TABLE {}(id INTEGER PRIMARY KEY, created CHAR(0), created_ts FLOAT, "
                      "metadata_id INTEGER, start CHAR(0), start_ts FLOAT, mean FLOAT{}, min FLOAT, max FLOAT, "
                      "last_reset CHAR(0), last_reset_ts FLOAT, state FLOAT, sum FLOAT)",
                      table, schema >= 49 ? ", mean_weight FLOAT" : ""));
    }
    run("COMMIT");
  }

  void run(std::string_view sql) { database.execute(sql).value(); }

  std::int64_t entity(std::string_view entity_id) {
    return number("states_meta", "metadata_id", "entity_id", entity_id);
  }
  std::int64_t attributes(std::string_view json) {
    return number("state_attributes", "attributes_id", "shared_attrs", json);
  }

  struct State {
    std::string_view entity_id;
    double updated = 0;  // seconds
    std::optional<std::string_view> value;
    std::string_view attributes = "{}";
    std::optional<double> changed = {};
    std::optional<Id16> context = {}, parent = {}, user = {};
  };
  void add(const State& state) {
    const auto blob = [](const std::optional<Id16>& id) -> std::optional<storage::Blob> {
      if (!id) return {};
      return storage::Blob(id->data(), id->size());
    };
    run(fmt::format("INSERT INTO states(state_id, last_updated_ts, last_changed_ts) VALUES({}, {:.17g}, {})", next_,
                    state.updated, state.changed ? fmt::format("{:.17g}", *state.changed) : "NULL"));
    database
        .run(
            "UPDATE states SET state = ?, metadata_id = ?, attributes_id = ?, context_id_bin = ?, "
            "context_parent_id_bin = ?, context_user_id_bin = ? WHERE state_id = ?",
            state.value, entity(state.entity_id), attributes(state.attributes), blob(state.context), blob(state.parent),
            blob(state.user), next_)
        .value();
    ++next_;
  }
  // As releases before schema 38 wrote them.
  void add_unmigrated(const State& state, std::string_view updated, std::string_view context) {
    database
        .run(
            "INSERT INTO states(state_id, entity_id, state, attributes, last_updated, context_id) "
            "VALUES(?, ?, ?, ?, ?, ?)",
            next_++, state.entity_id, state.value, state.attributes, updated, context)
        .value();
  }
  void skip_numbers(std::int64_t count) { next_ += count; }

  void add_event(std::string_view type, double fired, std::string_view data, const Id16& context) {
    const auto type_id = number("event_types", "event_type_id", "event_type", type);
    const auto data_id = number("event_data", "data_id", "shared_data", data);
    run(fmt::format("INSERT INTO events(event_id, time_fired_ts, event_type_id, data_id) VALUES({}, {:.17g}, {}, {})",
                    next_event_, fired, type_id, data_id));
    database
        .run("UPDATE events SET context_id_bin = ? WHERE event_id = ?", storage::Blob(context.data(), context.size()),
             next_event_++)
        .value();
  }

  // `mean` is the mean_type of newer schemas, and has_mean of older ones.
  std::int64_t add_statistic(std::string_view id, std::string_view source, std::string_view unit, int mean, bool sum,
                             std::string_view name = "") {
    const std::int64_t meta = next_meta_++;
    database
        .run(
            "INSERT INTO statistics_meta(id, statistic_id, source, unit_of_measurement, has_mean, has_sum, name) "
            "VALUES(?, ?, ?, ?, ?, ?, ?)",
            meta, id, source, unit, schema_ >= 50 ? std::optional<int>() : mean, sum,
            name.empty() ? std::nullopt : std::optional(name))
        .value();
    if (schema_ >= 49) database.run("UPDATE statistics_meta SET mean_type = ? WHERE id = ?", mean, meta).value();
    return meta;
  }
  struct Row {
    std::optional<double> mean = {}, min = {}, max = {}, state = {}, sum = {}, last_reset = {};
  };
  void add_row(std::int64_t meta, double start, const Row& row, bool short_term = false) {
    const auto text = [](std::optional<double> value) { return value ? fmt::format("{:.17g}", *value) : "NULL"; };
    run(
        fmt::format("INSERT INTO {}(metadata_id, start_ts, mean, min, max, state, sum, last_reset_ts) "
                    "VALUES({}, {:.17g}, {}, {}, {}, {}, {}, {})",
                    short_term ? "statistics_short_term" : "statistics", meta, start, text(row.mean), text(row.min),
                    text(row.max), text(row.state), text(row.sum), text(row.last_reset)));
  }

  storage::Database database;

 private:
  std::int64_t number(std::string_view table, std::string_view id, std::string_view column, std::string_view text) {
    auto select = database.prepare(fmt::format("SELECT {} FROM {} WHERE {} = ?", id, table, column)).value();
    if (select.bind(text).step().value()) return select.integer(0);
    auto add = database.prepare(fmt::format("INSERT INTO {}({}) VALUES(?) RETURNING {}", table, column, id)).value();
    add.bind(text).step().value();
    return add.integer(0);
  }

  const int schema_;
  std::int64_t next_ = 1, next_event_ = 1, next_meta_ = 1;
};

// An id of 16 bytes.
inline Id16 old_id(std::uint8_t last) {
  Id16 id{0x01, 0x8f, 0x3a};
  id.back() = last;
  return id;
}

// A home folder, an old database, and imports of it.
struct PastHome {
  explicit PastHome(int schema = 53) : old(folder / "old.db", schema) {
    std::filesystem::create_directories(folder / "home");
  }

  HistoryPlan plan() {
    return {.old = old.database, .target = folder / "home", .scratch = folder / "scratch", .now = kOldNow};
  }
  PastSpan import(const HistoryPlan& with) {
    report = Report();
    return import_states(with, report).value();
  }
  PastSpan import() { return import(plan()); }

  // Everything of one entity as lines `micros changed value attributes context parent user`.
  std::vector<std::string> lines(std::string_view entity_id) const {
    auto history = storage::Database::open_to_read(folder / "home/history.db").value();
    auto select = history
                      .prepare(
                          "SELECT data, first, last, changes, first_number FROM segments JOIN entities ON "
                          "entities.id = entity WHERE entity_id = ? ORDER BY last, last_change")
                      .value();
    std::vector<std::string> all;
    std::int64_t before = INT64_MIN;
    select.bind(entity_id)
        .for_each([&](const storage::Statement& row) {
          const auto list = recorder::decode_segment(row.blob(0)).value();
          EXPECT_EQ(row.integer(1), list.changes().front().updated.time_since_epoch().count());
          EXPECT_EQ(row.integer(2), list.changes().back().updated.time_since_epoch().count());
          EXPECT_EQ(static_cast<std::size_t>(row.integer(3)), list.size());
          EXPECT_EQ(recorder::day_of(row.timestamp(1)), recorder::day_of(row.timestamp(2)));
          EXPECT_TRUE(row.is_null(4));
          EXPECT_LE(before, row.integer(1));
          before = row.integer(2);
          for (const recorder::Change& change : list.changes()) {
            all.push_back(fmt::format("{} {} {} {} {} {} {}", change.updated.time_since_epoch().count(),
                                      (change.updated - change.changed).count(), change.removed ? "-" : change.value,
                                      change.attributes, change.context_id, change.parent_id, change.user_id));
          }
        })
        .value();
    return all;
  }
  const Report::Counts& counts(std::string_view kind) const {
    static const Report::Counts kNone;
    const auto found = report.counts().find(kind);
    return found == report.counts().end() ? kNone : found->second;
  }

  storage::TemporaryFolder folder;
  OldHistory old;
  Report report;
};

}  // namespace hearth::import_ha
