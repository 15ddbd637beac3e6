// SPDX-License-Identifier: Apache-2.0
// The collections of helpers: input_boolean, counter … Each item of theirs is an entity. Any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/registry/collection_type.h"
#include "core/values/words.h"

namespace hearth::core {

std::span<const CollectionType> helper_types();
// Files may define these, too: all but to-do lists and calendars, whose content people write.
std::span<const CollectionType> file_helper_types();

// Code points of a state, and so of an option and of a text.
constexpr std::size_t kMaxHelperText = 255;

// Options of an input_select: at least one, each a text that can be a state, none twice. Fails with invalid.
base::Result<void> check_options(const json::array& options);

// The entities of a group, or the trackers of a person: texts, each perhaps several between commas; none twice, all in
// small letters.
std::vector<std::string> member_ids(const json::value& list);
constexpr std::size_t kMaxMembers = 1'000;

// The domains of groups that are one entity of it; what sensors can be together, the field `sensor_type`, because
// `type` is the name of a command; those that take `all`, a device class.
constexpr Words kGroupTypes{"binary_sensor button cover event fan light lock media_player notify sensor switch"};
constexpr Words kGroupSums{"last max mean median min product range stdev sum"};
constexpr Words kGroupsWithAll{"binary_sensor light switch"}, kGroupsWithClass{"binary_sensor sensor"};
constexpr Words kStateClasses{"measurement measurement_angle total total_increasing"};

}  // namespace hearth::core
