// SPDX-License-Identifier: Apache-2.0
// Answers a SELECT about the past: the tables of HistoryTables, and the size of history.db by pragma_page_count() and
// pragma_page_size(). Nothing can be changed, no other file and no other table be read.
#pragma once

#include <filesystem>
#include <functional>

#include "base/result.h"
#include "recorder/history/history_reader.h"
#include "storage/select_query.h"

namespace hearth::recorder {

// `file` is history.db, `is_wanted` false cancels. Fails with invalid, for a query that is none or may not be answered,
// with full beyond a bound, or with unavailable; the message is a sentence without its subject. Blocks; one thread, the
// reader's.
base::Result<storage::SelectedRow> select_from_history(const std::filesystem::path& file, HistoryReader& reader,
                                                       base::Timestamp now, const storage::SelectQuery& query,
                                                       const std::function<bool()>& is_wanted);

}  // namespace hearth::recorder
