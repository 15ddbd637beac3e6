// SPDX-License-Identifier: Apache-2.0
// The history of one or many homes in a PostgreSQL database, for longer than a home keeps it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "recorder/follower.h"

namespace hearth::archive {

struct ArchiveOptions {
  static constexpr base::Duration kForever = base::Duration::max();
  static constexpr std::size_t kMaxSite = 64;  // code points of its name

  std::string url;                 // postgresql://user:password@host:port/database?options
  std::string site = "home";       // names the home in the database
  base::Duration keep = kForever;  // months that ended longer ago are dropped
  // Of a fleet: for so long, more changes of days that have ended may come before their statistics are made again.
  base::Duration late_changes = std::chrono::minutes(10);
  std::function<bool(std::string_view entity_id)> records = {};  // whose history is archived; null: everybody's
};

// Connects when it gets the first entries. Fails with unavailable if this hub was built without PostgreSQL or its
// library is not installed.
base::Result<std::unique_ptr<recorder::FollowerTarget>> make_archive(ArchiveOptions options, const base::Clock& clock);

}  // namespace hearth::archive
