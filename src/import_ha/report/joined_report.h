// SPDX-License-Identifier: Apache-2.0
// One report of an import that read the old home twice: beside the running hub, and again at its next start. Pure.
#pragma once

#include "base/json/json.h"

namespace hearth::import_ha {

// Both as Report::to_json has them. The second reading counts for each kind that it has counted, the first for the
// rest, such as the past; attentions and notes are those of both.
json::object join_reports(const json::object& first, const json::object& second);

}  // namespace hearth::import_ha
