// SPDX-License-Identifier: Apache-2.0
// The JSON Schemas that the OpenAPI document names.
#pragma once

#include "base/json.h"

namespace hearth::api {

// `components.schemas` of the document.
json::object schemas();

}  // namespace hearth::api
