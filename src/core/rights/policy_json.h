// SPDX-License-Identifier: Apache-2.0
// A policy as stored in the tables of accounts:
//   {"read":{"areas":["kitchen"],"domains":["weather"]},"control":{"areas":["kitchen"]}}
// with `all`, `entities`, `domains`, `areas` and `labels` in each part, all optional. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/rights/rights.h"

namespace hearth::core {

std::string to_json(const Policy& policy);
// Fails with invalid; the message names the key.
base::Result<Policy> parse_policy(std::string_view text);

}  // namespace hearth::core
