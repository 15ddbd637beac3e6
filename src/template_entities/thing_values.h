// SPDX-License-Identifier: Apache-2.0
// Turns values of templates into values of an entity. Any thread.
#pragma once

#include "base/result.h"
#include "domains/entities/kind.h"
#include "template/values/value.h"
#include "template_entities/plan.h"

namespace hearth::template_entities {

constexpr std::string_view kState = "state";

// The value of the entity; null is unknown. Fails with invalid, for people.
base::Result<json::value> state_of(const EntityPlan& plan, const Reading& reading, const templates::Value& value);
// Of an attribute that the Kind may have.
json::value attribute_of(const domains::Kind& kind, std::string_view name, const templates::Value& value);
// Without spaces at its ends; empty for none and what is undefined.
std::string text_of(const templates::Value& value);

}  // namespace hearth::template_entities
