// SPDX-License-Identifier: Apache-2.0
#include "app/sql_databases.h"

#include "recorder/history_file_reader.h"
#include "recorder/queries/select_from_history.h"

namespace hearth::app {

base::Result<storage::SelectedRow> SqlDatabases::ask(const std::string& url, const storage::SelectQuery& query,
                                                     const std::function<bool()>& is_wanted) {
  if (!url.empty()) return postgres_.ask(url, query);
  if (!recorder_) return base::fail(base::ErrorCode::unavailable, "cannot be asked: there is no history");
  recorder::HistoryFileReader reader(*recorder_);
  return recorder::select_from_history(recorder_->file(), reader, clock_.now(), query, is_wanted);
}

}  // namespace hearth::app
