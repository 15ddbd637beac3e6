// SPDX-License-Identifier: Apache-2.0
// The changes of one entity, packed: columns of times, values, attributes and contexts in one zstd frame with its
// checksum. docs/decisions has the format.
//
// Any thread; pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "recorder/change.h"

namespace hearth::recorder {

// What one segment holds at most; a day with more has several.
constexpr std::size_t kMaxSegmentChanges = 65'536;

// What is packed soon, and joined with others when the day is over, need not be as small as it can be.
enum class Effort { quick, thorough };

// All comes back as it was, but for one thing: of a number's context the id is kept only where it names a parent, as
// 26 random characters would be most of what a sensor's change costs. User and parent are always kept.
// REQUIRES: 1 to kMaxSegmentChanges changes, by rising `updated`.
std::string encode_segment(std::span<const Change> changes, Effort effort = Effort::thorough);

// Fails with internal where the bytes are not what encode_segment made: damaged, or cut short.
base::Result<ChangeList> decode_segment(std::span<const std::uint8_t> bytes);

}  // namespace hearth::recorder
