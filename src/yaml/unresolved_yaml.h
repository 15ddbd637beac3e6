// SPDX-License-Identifier: Apache-2.0
// Parses a YAML file without resolving its tags: `!secret x` becomes the marked text "!secret x", so that two versions
// can be compared and tags written again. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "yaml/yaml_loader.h"

namespace hearth::yaml {

// Before the name and the text of a tag: `\x01!secret code`.
constexpr char kTagMark = '\x01';

// Fails with invalid if the text is not YAML; the message has file, line and column.
base::Result<LoadedYaml> load_marked(const std::string& text, const std::string& file);
// The same of a text that is parsed already.
base::Result<LoadedYaml> marked_meaning(const std::optional<YAML::Node>& document, const std::string& text,
                                        const std::string& file);

// True if it has such a text.
bool has_mark(const json::value& value);

// The node at that key of the file, as in its place; null if it has none.
const base::ConfigNode* node_at(const base::ConfigNode& root, std::string_view key);

// The key, with its line, of the first thing that differs, where `removed` of the former and `added` of the present
// text do not count. Null if there is none. Nothing, an empty list and an empty map are the same.
std::optional<base::ConfigNode::Place> first_difference(const base::ConfigNode& former,
                                                        const std::optional<std::string>& removed,
                                                        const base::ConfigNode& present,
                                                        const std::optional<std::string>& added);

// `wanted` with what `source` has at the places where both `wanted` and `shown`, which is the source with masked
// secrets, have a masked one. Null if it is not certain which one is meant.
std::optional<json::value> unmasked(const json::value& wanted, const json::value& shown, const json::value& source);

}  // namespace hearth::yaml
