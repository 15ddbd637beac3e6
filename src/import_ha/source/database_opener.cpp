// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/database_opener.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "import_ha/source/database_copy.h"
#include "import_ha/source/database_file.h"
#include "import_ha/source/storage_versions.h"

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;
using storage::Database;

// A read transaction begins with the first read.
constexpr std::string_view kBegin = "BEGIN; SELECT 1 FROM sqlite_master LIMIT 1";

// Statements that compile only if all columns are there that the import reads.
constexpr std::array<std::string_view, 7> kColumns{
    "SELECT state_id, state, metadata_id, attributes_id, last_updated_ts, last_changed_ts, context_id_bin,"
    " context_parent_id_bin, context_user_id_bin FROM states",
    "SELECT metadata_id, entity_id FROM states_meta",
    "SELECT attributes_id, shared_attrs FROM state_attributes",
    "SELECT e.event_id, e.time_fired_ts, e.context_id_bin, e.context_parent_id_bin, e.context_user_id_bin, "
    "t.event_type,"
    " d.shared_data FROM events e JOIN event_types t ON e.event_type_id = t.event_type_id"
    " LEFT JOIN event_data d ON e.data_id = d.data_id",
    "SELECT id, statistic_id, source, unit_of_measurement, has_sum, name FROM statistics_meta",
    "SELECT id, metadata_id, start_ts, mean, min, max, state, sum, last_reset_ts FROM statistics",
    "SELECT id, metadata_id, start_ts, mean, min, max, state, sum, last_reset_ts FROM statistics_short_term",
};

bool has_all_columns(Database& database) {
  for (const std::string_view sql : kColumns) {
    if (!database.prepare(sql)) return false;
  }
  return true;
}

std::unexpected<base::Error> no_history(const std::string& name) {
  return base::fail(ErrorCode::invalid, fmt::format("{} holds no history of Home Assistant.", name));
}
std::unexpected<base::Error> damaged_at_start(const std::string& name) {
  return base::fail(ErrorCode::invalid, fmt::format("{} is damaged where it says which tables it has.", name));
}

}  // namespace

Result<void> OldDatabase::begin() {
  end_ = std::chrono::steady_clock::now() + moment_;
  return connection_.execute(kBegin);
}

Result<void> OldDatabase::renew() {
  if (auto ended = connection_.execute("COMMIT"); !ended) return ended;
  return begin();
}

Result<OldDatabase> OldDatabaseOpener::begun(OldDatabase database) {
  if (auto begun = database.begin(); !begun) {
    if (database.connection_.damaged()) return damaged_at_start(database.name_);
    return std::unexpected(std::move(begun.error()));
  }
  return database;
}

Result<OldDatabase> OldDatabaseOpener::open_in_use(const Request& request) {
  auto connection = Database::open_to_read(request.file, storage::Reading::in_use);
  if (!connection) return std::unexpected(std::move(connection.error()));
  return begun(OldDatabase(std::move(*connection), request.name, true, request.moment));
}

Result<OldDatabase> OldDatabaseOpener::open_copy(const Request& request) {
  const auto copy = copy_moment(request.file, request.name, request.scratch, request.go_on);
  if (!copy) return std::unexpected(copy.error());
  if (auto complete = check_complete(*copy, request.name); !complete) return std::unexpected(complete.error());
  // Half a transaction that stands in the file is taken back from its journal when it is opened to write.
  auto connection = size_beside(*copy, "-journal") > 0 ? Database::open(*copy) : Database::open_to_read(*copy);
  if (!connection) return std::unexpected(std::move(connection.error()));
  return begun(OldDatabase(std::move(*connection), request.name, false, request.moment));
}

Result<OldDatabase> OldDatabaseOpener::open_still(const Request& request) {
  if (auto complete = check_complete(request.file, request.name); !complete) return std::unexpected(complete.error());
  auto connection = Database::open_to_read(request.file, storage::Reading::immutable);
  if (!connection) return std::unexpected(std::move(connection.error()));
  return begun(OldDatabase(std::move(*connection), request.name, false, request.moment));
}

Result<void> OldDatabaseOpener::find_schema(OldDatabase& database, const Request& request) {
  Database& connection = database.connection_;
  std::optional<std::int64_t> schema;
  auto statement = connection.prepare("SELECT schema_version FROM schema_changes ORDER BY change_id DESC LIMIT 1");
  if (statement) {
    const auto row = statement->step();
    if (!row && !connection.damaged()) return std::unexpected(row.error());
    if (row && *row) schema = statement->integer(0);
    if (row && !*row) return no_history(request.name);
  } else if (!connection.damaged()) {
    return no_history(request.name);
  }
  if (!schema) {  // damaged there
    return has_all_columns(connection) ? Result<void>() : no_history(request.name);
  }
  database.schema_ = static_cast<int>(*schema);
  if (*schema < kOldestSchema) {
    return base::fail(ErrorCode::unsupported,
                      fmt::format("{} has schema {}; this Hearth reads {} to {}. Start it once with a newer Home "
                                  "Assistant, or import without the past: --history none.",
                                  request.name, *schema, kOldestSchema, kNewestSchema));
  }
  if (*schema <= kNewestSchema) return {};
  if (!request.accept_newer) {
    return base::fail(ErrorCode::unsupported,
                      fmt::format("{} has schema {}; this Hearth knows {} to {}. Update Hearth, or try --accept-newer.",
                                  request.name, *schema, kOldestSchema, kNewestSchema));
  }
  if (has_all_columns(connection)) return {};
  return base::fail(ErrorCode::unsupported,
                    fmt::format("{} has schema {}, and columns are missing that this Hearth reads. Update Hearth.",
                                request.name, *schema));
}

Result<OldDatabase> OldDatabaseOpener::open(const Request& request) {
  if (auto header = read_database_header(request.file, request.name); !header) return std::unexpected(header.error());
  // On another machine an empty log may be one that is in use.
  std::error_code none;
  const bool remote = is_remote(request.file);
  const bool logged = size_beside(request.file, "-wal") > 0 || size_beside(request.file, "-journal") > 0 ||
                      (remote && std::filesystem::exists(request.file.native() + "-wal", none));
  Result<OldDatabase> database = base::fail(ErrorCode::internal, "");
  if (!remote && is_open_elsewhere(request.file)) {
    database = open_in_use(request);
    if (!database && database.error().code != ErrorCode::invalid) database = open_copy(request);
  } else if (logged || request.running) {
    database = open_copy(request);
  } else {
    database = open_still(request);
  }
  if (!database) return database;
  if (auto known = find_schema(*database, request); !known) return std::unexpected(std::move(known.error()));
  return database;
}

}  // namespace hearth::import_ha
