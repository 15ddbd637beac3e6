// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/digest.h"
#include "import_ha/source/test_old_backup.h"
#include "import_ha/source/test_old_home.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHistoryTables = R"sql(
CREATE TABLE schema_changes (change_id INTEGER PRIMARY KEY, schema_version INTEGER, changed TEXT);
CREATE TABLE states (state_id INTEGER PRIMARY KEY, state TEXT, metadata_id INTEGER, attributes_id INTEGER,
  last_updated_ts FLOAT, last_changed_ts FLOAT, context_id_bin BLOB, context_parent_id_bin BLOB,
  context_user_id_bin BLOB);
CREATE TABLE states_meta (metadata_id INTEGER PRIMARY KEY, entity_id TEXT);
CREATE TABLE state_attributes (attributes_id INTEGER PRIMARY KEY, shared_attrs TEXT);
CREATE TABLE events (event_id INTEGER PRIMARY KEY, event_type_id INTEGER, data_id INTEGER, time_fired_ts FLOAT,
  context_id_bin BLOB, context_parent_id_bin BLOB, context_user_id_bin BLOB);
CREATE TABLE event_types (event_type_id INTEGER PRIMARY KEY, event_type TEXT);
CREATE TABLE event_data (data_id INTEGER PRIMARY KEY, shared_data TEXT);
CREATE TABLE statistics_meta (id INTEGER PRIMARY KEY, statistic_id TEXT, source TEXT, unit_of_measurement TEXT,
  has_sum INTEGER, name TEXT, mean_type INTEGER);
CREATE TABLE statistics (id INTEGER PRIMARY KEY, metadata_id INTEGER, start_ts FLOAT, mean FLOAT, min FLOAT, max FLOAT,
  state FLOAT, sum FLOAT, last_reset_ts FLOAT);
CREATE TABLE statistics_short_term (id INTEGER PRIMARY KEY, metadata_id INTEGER, start_ts FLOAT, mean FLOAT, min FLOAT,
  max FLOAT, state FLOAT, sum FLOAT, last_reset_ts FLOAT);
INSERT INTO states_meta VALUES (1, 'sensor.porch');
)sql";

}  // namespace

void write_file(const fs::path& file, std::string_view content) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << content;
  ASSERT_TRUE(out.flush().good()) << file;
}

std::string read_file(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::map<std::string, std::string> digests_of(const fs::path& folder) {
  std::map<std::string, std::string> digests;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) digests[entry.path().native()] = base::sha256_hex(read_file(entry.path()));
  }
  return digests;
}

OldHome::OldHome() {
  write_file(folder() / ".HA_VERSION", "2026.2.3");
  write_file(folder() / "configuration.yaml", "default_config:\n");
  write_file(folder() / ".storage/core.config", storage_text("core.config", 1, 4, R"({"latitude": 48.2})"));
  write_file(folder() / ".storage/core.entity_registry",
             storage_text("core.entity_registry", 1, 20, R"({"entities": [], "deleted_entities": []})"));
}

void make_history(const fs::path& file, int schema, int rows) {
  fs::create_directories(file.parent_path());
  auto database = storage::Database::open(file).value();
  ASSERT_TRUE(database.execute(kHistoryTables).has_value());
  ASSERT_TRUE(database.run("INSERT INTO schema_changes VALUES (1, ?, '')", schema).has_value());
  for (int i = 0; i < rows; ++i)
    ASSERT_TRUE(database.run("INSERT INTO states (state, metadata_id) VALUES (?, 1)", i).has_value());
}

std::int64_t count_states(OldDatabase& database) {
  auto rows = database.connection().prepare("SELECT count(*) FROM states");
  if (!rows || !rows->step().value_or(false)) return -1;
  return rows->integer(0);
}

}  // namespace hearth::import_ha
