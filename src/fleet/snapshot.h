// SPDX-License-Identifier: Apache-2.0
// All states of a site at one moment, in parts, each a message. A portal that has all parts knows the site as it was
// after a number of its log, and needs only later entries. Any thread; pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/states/state.h"
#include "fleet/batch.h"

namespace hearth::fleet {

struct SnapshotPart {
  static constexpr std::uint64_t kFormat = 1;
  static constexpr std::size_t kStates = 2'000;           // in a part …
  static constexpr std::size_t kBytes = 2 * 1024 * 1024;  // … and about their JSON
  static constexpr std::size_t kMaxParts = 1'000;

  std::size_t part = 0, parts = 1;
  std::int64_t as_of = 0;  // everything of the log up to this number is in the states, and perhaps more
  Batch states;            // a change for each; its numbers count from 1
};

// At least one part. REQUIRES: a site's name and an epoch. Fails with full beyond kMaxParts.
base::Result<std::vector<std::string>> encode_snapshot(std::string_view site, std::string_view epoch,
                                                       std::int64_t as_of, std::span<const core::State* const> states);
// Fails as decode_batch.
base::Result<SnapshotPart> decode_snapshot(std::string_view bytes);

}  // namespace hearth::fleet
