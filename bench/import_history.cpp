// SPDX-License-Identifier: Apache-2.0
// Makes the database of another hub with so many states of 400 entities, then imports it, and prints how fast that was,
// the memory at the peak, and what a state takes here and there. bench/import builds and runs it.
//
//   import_history make FILE STATES
//   import_history import FILE FOLDER
//
// Seven of eight states are those of sensors with a unit; the others keep a context, which takes more room than all
// else: lights, switches, doors.
// The numbers of the rows are in no order of time: each is up to a minute off.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "base/memory_use.h"
#include "base/process_figures.h"
#include "import_ha/history/history_import.h"
#include "recorder/log/history_file.h"

namespace {

using namespace hearth;

constexpr int kEntities = 400, kOthers = 8;
constexpr double kEnd = 1'795'219'200;  // 2026-11-21
constexpr double kSpan = 10 * 86'400;   // seconds

void create(storage::Database& database) {
  database
      .execute(R"(PRAGMA synchronous = OFF;
    CREATE TABLE states_meta(metadata_id INTEGER PRIMARY KEY, entity_id VARCHAR(255));
    CREATE TABLE state_attributes(attributes_id INTEGER PRIMARY KEY, hash BIGINT, shared_attrs TEXT);
    CREATE TABLE states(state_id INTEGER PRIMARY KEY, entity_id CHAR(0), state VARCHAR(255), attributes CHAR(0),
      event_id SMALLINT, last_changed CHAR(0), last_changed_ts FLOAT, last_reported_ts FLOAT, last_updated CHAR(0),
      last_updated_ts FLOAT, old_state_id INTEGER, attributes_id INTEGER, context_id CHAR(0), context_user_id CHAR(0),
      context_parent_id CHAR(0), origin_idx SMALLINT, context_id_bin BLOB, context_user_id_bin BLOB,
      context_parent_id_bin BLOB, metadata_id INTEGER);
    CREATE INDEX ix_states_old_state_id ON states(old_state_id);
    CREATE INDEX ix_states_attributes_id ON states(attributes_id);
    CREATE INDEX ix_states_metadata_id_last_updated_ts ON states(metadata_id, last_updated_ts);
    CREATE INDEX ix_states_context_id_bin ON states(context_id_bin);
    CREATE INDEX ix_states_last_updated_ts ON states(last_updated_ts);)")
      .value();
}

void make(const char* file, std::int64_t states) {
  auto database = storage::Database::open(file).value();
  create(database);
  std::mt19937_64 random(1);
  database.execute("BEGIN").value();
  std::int64_t sets = 0;
  for (int entity = 1; entity <= kEntities; ++entity) {
    const bool sensor = entity % kOthers != 0;
    const auto name = fmt::format("{}.device_{}", sensor ? "sensor" : "light", entity);
    database.run("INSERT INTO states_meta VALUES(?, ?)", entity, std::string_view(name)).value();
    for (int set = 0; set < 4; ++set) {
      const auto json = sensor ? fmt::format(R"({{"state_class":"measurement","unit_of_measurement":"W",)"
                                             R"("device_class":"power","friendly_name":"Device {} {}"}})",
                                             entity, set)
                               : fmt::format(R"({{"supported_color_modes":["brightness"],"color_mode":"brightness",)"
                                             R"("brightness":{},"friendly_name":"Device {}","supported_features":0}})",
                                             40 + 50 * set, entity);
      database.run("INSERT INTO state_attributes VALUES(?, 0, ?)", ++sets, std::string_view(json)).value();
    }
  }
  auto add = database
                 .prepare(
                     "INSERT INTO states(state_id, state, last_updated_ts, attributes_id, metadata_id, "
                     "context_id_bin, old_state_id, origin_idx) VALUES(?, ?, ? / 1e6, ?, ?, ?, ?, 0)")
                 .value();
  for (std::int64_t i = 1; i <= states; ++i) {
    const auto entity = static_cast<int>(random() % kEntities) + 1;
    const bool sensor = entity % kOthers != 0;
    const double seconds = kEnd - kSpan + kSpan * static_cast<double>(i) / static_cast<double>(states) -
                           static_cast<double>(random() % 60'000'000) / 1e6;
    const auto value = sensor ? fmt::format("{}.{}", 20 + entity % 60 + static_cast<int>(random() % 4), random() % 10)
                              : std::string(random() % 2 ? "on" : "off");
    std::uint8_t context[16];
    for (int byte = 0; byte < 6; ++byte)
      context[byte] = static_cast<std::uint8_t>(static_cast<std::int64_t>(seconds * 1'000) >> (8 * (5 - byte)));
    for (int byte = 6; byte < 16; ++byte) context[byte] = static_cast<std::uint8_t>(random());
    add.bind(i, std::string_view(value), static_cast<std::int64_t>(seconds * 1e6),
             4 * (entity - 1) + 1 + static_cast<std::int64_t>(random() % 4 * (random() % 2)), entity,
             storage::Blob(context), std::max<std::int64_t>(i - 400, 1))
        .run()
        .value();
  }
  database.execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)").value();
}

int import(const char* file, const std::filesystem::path& folder) {
  auto old = storage::Database::open_to_read(file).value();
  import_ha::Report report;
  std::uintmax_t temporary = 0;
  std::uint64_t looks = 0;
  import_ha::HistoryPlan plan{
      .old = old,
      .target = folder,
      .scratch = folder / "scratch",
      .now = base::Timestamp(base::Duration(static_cast<std::int64_t>(kEnd) * 1'000'000)),
  };
  plan.progress = [&](std::uint64_t, std::uint64_t) {
    if (++looks % 64 != 0) return;
    std::uintmax_t bytes = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(plan.scratch, ignored))
      bytes += entry.file_size(ignored);
    temporary = std::max(temporary, bytes);
  };
  const auto begin = std::chrono::steady_clock::now();
  if (const auto done = import_states(plan, report); !done) {
    fmt::print(stderr, "{}\n", done.error().message);
    return 1;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto figures = base::process_figures();
  const double states = static_cast<double>(report.counts().at("states").carried);
  const auto before = static_cast<double>(std::filesystem::file_size(file));
  const auto after = static_cast<double>(recorder::open_history(folder / recorder::kHistoryDatabase).value().size());
  fmt::print("{:.0f} states of {} entities: {:.1f} s, {:.0f} states/s; CPU {:.1f} s, {:.0f} states/s\n", states,
             kEntities, seconds, states / seconds, figures.cpu_seconds, states / figures.cpu_seconds);
  fmt::print("memory at the peak: {:.0f} MiB\n", static_cast<double>(figures.memory_peak) / (1 << 20));
  fmt::print("bytes a state: {:.1f} there, {:.1f} here; temporary files {:.0f} % of the source\n", before / states,
             after / states, 100 * static_cast<double>(temporary) / before);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  base::keep_memory_small();
  const std::string_view what = argc == 4 ? argv[1] : "";
  if (what == "make") return make(argv[2], std::strtoll(argv[3], nullptr, 10)), 0;
  if (what == "import") return import(argv[2], argv[3]);
  std::fputs("usage: import_history make FILE STATES | import FILE FOLDER\n", stderr);
  return 2;
}
