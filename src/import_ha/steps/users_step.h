// SPDX-License-Identifier: Apache-2.0
// Users with their ids, passwords, second factors, long-lived tokens and sessions: who logged in there is logged in
// here, and a token in a wall panel goes on working. The old hub's keys stay behind: its tokens are computed again, and
// only their hashes are kept.
//
// One thread. No message shows a secret.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "import_ha/report/report.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

struct UsersPlan {
  const Source& source;
  storage::Database& home;  // in a write transaction of the caller
  Report& report;
  base::Timestamp now;
  bool credentials = true;  // otherwise no password, second factor, token or session
};

// Fails with unavailable or invalid if a file cannot be used.
base::Result<void> import_users(const UsersPlan& plan);

}  // namespace hearth::import_ha
