// SPDX-License-Identifier: Apache-2.0
// Derived sensors that people make by commands: each is an item of the collection named after the platform, with the
// platform's keys as its fields. `type` is the name of a command, so that this key is called sensor_type there; for a
// platform of several domains `domain` says which. Any thread.
#pragma once

#include <memory>

#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/collection.h"
#include "derived/platforms.h"

namespace hearth::derived {

// The fields of a new item, or of one with `former` after a change that names some; null takes one away. Fails with
// invalid; each line of the message names the field.
base::Result<json::object> fields_of(const Platform& platform, const json::object& given, const json::object* former);

// Its id is the sensor's unique id. With its error if it cannot be read.
std::shared_ptr<Plan> plan_of(const Platform& platform, const core::Item& item);

// Of each platform, what its fields may be: {"min_max":{"domains":["sensor"],"fields":[{"key":"name",…},…]},…}.
json::object describe_platforms();

}  // namespace hearth::derived
