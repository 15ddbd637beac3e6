// SPDX-License-Identifier: Apache-2.0
// Blueprints: automations, scripts and template entities whose inputs each use fills in. Immutable; any thread.
//
// In a file, `!input name` stands for a value; as a node it is a map with the single key `!input`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"
#include "base/json/json.h"

namespace hearth::automation {

constexpr std::string_view kInputTag = "!input";

struct Blueprint {
  struct Input {
    std::string name, title;            // the title is for people; the name if there is none
    const base::ConfigNode* otherwise;  // its default; null if it must be given
    json::value selector;               // {"number":{"min":0,…}}; null if there is none
  };

  std::string domain;         // automation, script, template
  json::object metadata;      // all of the key `blueprint`, as written
  std::vector<Input> inputs;  // in the order of the file, those of sections among them
  std::string hash;           // of the text

  // The nodes that `inputs` point into, and what is left when `blueprint` is taken away.
  std::shared_ptr<const base::ConfigNode> root;
};

// `hash` tells its text from others. Fails with invalid: a line for each error, with file, line and key.
base::Result<Blueprint> parse_blueprint(base::ConfigNode root, std::string hash);

// The versions of each blueprint, newest first: one that cannot be read has its errors. By domain/path, such as
// automation/author/motion.yaml.
using BlueprintVersions = std::vector<base::Result<Blueprint>>;
using Blueprints = std::map<std::string, BlueprintVersions, std::less<>>;

// The blueprint of the node: {path, input}. Null if it uses none.
const base::ConfigNode* use_of(const base::ConfigNode& item);
// The versions of what it uses. Fails with invalid if there is no such blueprint.
base::Result<const BlueprintVersions*> find_used(const Blueprints* blueprints, std::string_view domain,
                                                 const base::ConfigNode& use);
// The item that uses the blueprint, with all filled in; its own keys win over those of the blueprint. Fails with
// invalid if an input is missing or if the whole would be larger than 1 MiB.
base::Result<base::ConfigNode> substituted(const Blueprint& blueprint, const base::ConfigNode& item);
// Errors of the inputs: a line for each value that its selector refuses, and each that the blueprint does not ask for.
std::vector<std::string> misfits(const Blueprint& blueprint, const base::ConfigNode& use);

}  // namespace hearth::automation
