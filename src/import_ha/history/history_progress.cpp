// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/history_progress.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>

#include "base/json/json_fields.h"
#include "storage/migrate.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::array<std::string_view, 1> kProgressSteps{R"(
  CREATE TABLE history_progress(part TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
)"};
constexpr std::string_view kSourcePart = "source", kFingerprint = "fingerprint";

}  // namespace

Result<HistoryProgress> HistoryProgress::open(const std::filesystem::path& scratch, std::string_view fingerprint) {
  std::error_code error;
  if (std::filesystem::create_directories(scratch, error)) ::chmod(scratch.c_str(), 0700);
  if (error) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", scratch.string(), error.message()));
  }
  auto database = storage::Database::open(scratch / "progress.db");
  if (!database) return std::unexpected(std::move(database.error()));
  if (auto ready = storage::migrate(*database, "import_history", kProgressSteps); !ready)
    return std::unexpected(std::move(ready.error()));
  HistoryProgress progress(std::move(*database));
  const auto source = progress.read(kSourcePart);
  if (!source) return std::unexpected(source.error());
  if (source->contains(kFingerprint) && base::text_view_at(*source, kFingerprint) == fingerprint) return progress;
  if (auto gone = progress.database_.execute("DELETE FROM history_progress"); !gone)
    return std::unexpected(std::move(gone.error()));
  if (auto put = progress.write(kSourcePart, {{kFingerprint, fingerprint}}); !put)
    return std::unexpected(std::move(put.error()));
  return progress;
}

Result<json::object> HistoryProgress::read(std::string_view part) {
  auto select = database_.prepare("SELECT value FROM history_progress WHERE part = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  auto row = select->bind(part).step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row) return json::object();
  auto value = base::parse_json(select->text(0));
  if (!value || !value->is_object()) return json::object();
  return std::move(value->get_object());
}

Result<void> HistoryProgress::write(std::string_view part, const json::object& value) {
  auto done = database_.run("INSERT OR REPLACE INTO history_progress VALUES(?, ?)", part,
                            std::string_view(base::to_json(value)));
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

Result<void> HistoryProgress::remove(std::string_view part) {
  auto done = database_.run("DELETE FROM history_progress WHERE part = ?", part);
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

}  // namespace hearth::import_ha
