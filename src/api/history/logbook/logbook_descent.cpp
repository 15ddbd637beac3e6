// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_descent.h"

namespace hearth::api {

bool LogbookDescent::holds(std::string_view context_id, std::string_view parent_id) {
  if (context_id.empty()) return false;
  if (known_.contains(context_id)) return true;
  if (!known_.contains(parent_id)) return false;
  if (known_.size() < kMaxContexts) known_.emplace(context_id);
  return true;
}

}  // namespace hearth::api
