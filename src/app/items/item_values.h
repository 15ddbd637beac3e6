// SPDX-License-Identifier: Apache-2.0
// Reads the values of an automation, script or scene from its text, so that a change of the text can be compared with
// the requested change. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "base/json/json.h"
#include "base/result.h"
#include "yaml/yaml_loader.h"

namespace hearth::app {

// With the present names of its keys.
json::value with_present_keys(const std::string& domain, json::value written);

// The meaning of the item at that key of the file. Fails with unsupported if it is not there, as after an anchor.
base::Result<json::object> meaning_in(const yaml::LoadedYaml& file, const std::string& domain, const std::string& id,
                                      const std::string& key);

// The first key in which the two differ, except for `id`; empty if there is none.
std::string differing_key(const json::object& one, const json::object& other);

// The wanted values, with marks (yaml/unresolved_yaml.h) where a masked secret, or a key that stays, has them in
// `source`; `shown` is `source` with masked secrets. Fails with invalid if it is not certain which secret is meant.
base::Result<json::object> with_marks(const json::object& wanted, const json::object& shown,
                                      const json::object& source);

// Fails with unsupported if the item, at that key of its file, stands under a label, or the file is included by one, as
// by `automation kitchen: !include kitchen.yaml`, which makes it one of those that people write.
base::Result<void> check_label(const std::filesystem::path& folder, const std::string& domain, const std::string& id,
                               const std::string& file, const std::string& key);

}  // namespace hearth::app
