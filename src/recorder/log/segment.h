// SPDX-License-Identifier: Apache-2.0
// Packs the changes of one entity: columns of times, values, attributes and contexts in one zstd frame with its
// checksum. docs/decisions describes the format.
//
// Any thread; pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "recorder/log/change.h"

namespace hearth::recorder {

// The most changes of one segment; a day with more has several.
constexpr std::size_t kMaxSegmentChanges = 65'536;

// A segment that will be merged at the end of the day need not be as small as possible.
enum class Effort { quick, thorough };

// Everything reads back as it was, with one exception: of a number's context the id is kept only if it names a parent,
// because 26 random characters would be most of what a sensor's change takes. User and parent are always kept. The
// changes' numbers are there if any of them has one.
// REQUIRES: 1 to kMaxSegmentChanges changes in order of `updated`.
std::string encode_segment(std::span<const Change> changes, Effort effort = Effort::thorough);

// Fails with internal if the bytes are not what encode_segment wrote: damaged or truncated.
base::Result<ChangeList> decode_segment(std::span<const std::uint8_t> bytes);

}  // namespace hearth::recorder
