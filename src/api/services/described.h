// SPDX-License-Identifier: Apache-2.0
// Service descriptions as a caller may see them. Any thread.
#pragma once

#include "core/services/service_description.h"
#include "core/view.h"

namespace hearth::api {

// The description as core::to_json_object has it, without what people wrote of its fields that names something that the
// caller may not read.
json::object described(const core::View& home, const core::ServiceDescription& description);

}  // namespace hearth::api
