// SPDX-License-Identifier: Apache-2.0
// Asks databases, for sources. Any thread.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "storage/select_query.h"

namespace hearth::building_blocks {

class Databases {
 public:
  virtual ~Databases() = default;

  // `url`: postgresql://user:password@host/database; empty: the hub's own history. Blocks; `is_wanted`, if it is false,
  // cancels. An error is a sentence without its subject, the query.
  virtual base::Result<storage::SelectedRow> ask(const std::string& url, const storage::SelectQuery& query,
                                                 const std::function<bool()>& is_wanted) = 0;
};

}  // namespace hearth::building_blocks
