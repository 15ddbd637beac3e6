// SPDX-License-Identifier: Apache-2.0
// Stores the descriptions that devices have sent of themselves as items of the registry: collections
// <kDiscovery><integration>.<shard>, each item one message as text. A home has many thousands of them, and some
// describe all of a device at once. Any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace hearth::core {

constexpr std::string_view kDiscovery = "discovery.";
constexpr std::size_t kMaxDiscoveryBytes = 256 * 1024;

}  // namespace hearth::core
