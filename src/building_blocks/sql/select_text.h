// SPDX-License-Identifier: Apache-2.0
// Queries and addresses of databases as the configuration has them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "storage/select_query.h"

namespace hearth::building_blocks {

// Fails with invalid if it does not begin as a SELECT, maybe with a WITH before it. The database says the rest. Its
// first row counts if it has no LIMIT, otherwise its last, as for those who wrote it.
base::Result<storage::SelectQuery> select_query(std::string sql);

// The address for Databases: empty for the hub's own history, which is meant by the file home-assistant_v2.db, too.
// Fails with invalid; the message has no password.
base::Result<std::string> database_url(std::string_view written);

}  // namespace hearth::building_blocks
