// SPDX-License-Identifier: Apache-2.0
// XML as JSON, by tag: `<a><b c="1">x</b><b/></a>` is {"a": {"b": [{"@c": "1", "#text": "x"}, null]}}. Any thread.
#pragma once

#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::building_blocks {

// All values are texts; an element without anything is null. Entities of the document itself are left out. Fails as
// Document::parse_xml, and with invalid if it is deeper than JSON may be.
base::Result<json::value> json_of_xml(std::string_view text);

}  // namespace hearth::building_blocks
