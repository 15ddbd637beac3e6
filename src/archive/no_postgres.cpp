// SPDX-License-Identifier: Apache-2.0
// In the place of the archive where the headers of libpq were not there at the build.
#include "archive/archive.h"
#include "archive/fleet_history.h"
#include "archive/fleet_store.h"
#include "archive/select_from_postgres.h"

namespace hearth::archive {
namespace {

std::unexpected<base::Error> without_postgres() {
  return base::fail(base::ErrorCode::unavailable, "This hub was built without PostgreSQL (libpq-dev).");
}

}  // namespace

base::Result<std::unique_ptr<recorder::FollowerTarget>> make_archive(ArchiveOptions, const base::Clock&) {
  return without_postgres();
}

base::Result<std::unique_ptr<FleetStore>> make_fleet_store(ArchiveOptions, const base::Clock&) {
  return without_postgres();
}

base::Result<std::unique_ptr<recorder::HistoryReader>> make_fleet_history(FleetHistoryOptions,
                                                                          std::unique_ptr<recorder::HistoryReader>) {
  return without_postgres();
}

struct SelectFromPostgres::State {};

SelectFromPostgres::SelectFromPostgres() = default;

SelectFromPostgres::~SelectFromPostgres() = default;

base::Result<storage::SelectedRow> SelectFromPostgres::ask(const std::string&, const storage::SelectQuery&) {
  return base::fail(base::ErrorCode::unavailable, "fails: this hub was built without PostgreSQL (libpq-dev)");
}

void SelectFromPostgres::cancel() {}

}  // namespace hearth::archive
