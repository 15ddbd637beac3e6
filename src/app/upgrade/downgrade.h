// SPDX-License-Identifier: Apache-2.0
// Puts the copies of an earlier version back, after an upgrade that was not a success. Nothing is destroyed: the newer
// files move to <home>/before-downgrade-<time>/.
//
// The hub must not run. One thread at a time for each home.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/upgrade/kept_copies.h"
#include "base/clock.h"
#include "base/result.h"

namespace hearth::app {

using backup::kBeforeDowngrade;

struct Downgrade {
  struct File {
    std::string database;        // such as home.db
    std::filesystem::path copy;  // what takes its place
    base::Timestamp made;        // the home as of then
  };
  std::string version;
  std::vector<File> files;  // empty: that version can read all files as they are
};

// `to`: the version of a copy, or the name of its folder. Of a database that changed later, the oldest copy since then
// is taken. Fails with not_found if there is no such copy, with conflict if there are several of that version; the
// message names those that there are.
base::Result<Downgrade> plan_downgrade(const std::filesystem::path& home, std::string_view to);

// Returns the folder with the newer files; empty if there was nothing to do. If killed, the same call completes it: at
// any moment each database is there, the newer or the copy. Runs that were under way then are forgotten, as after a
// restore. Fails with unavailable, also if a copy is damaged.
base::Result<std::filesystem::path> put_back(const std::filesystem::path& home, const Downgrade& downgrade,
                                             base::Timestamp now);

}  // namespace hearth::app
