// SPDX-License-Identifier: Apache-2.0
#include "automation/items/blueprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "automation/config/item_node.h"
#include "automation/config/parsing.h"
#include "automation/items/key_renames.h"
#include "automation/items/selector.h"
#include "base/config/config_reader.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kBlueprintDomains[] = {"automation", "script", "template"};
constexpr std::size_t kMaxInputs = 1'000;

bool has_input(const Blueprint& blueprint, std::string_view name) {
  return std::ranges::find(blueprint.inputs, name, &Blueprint::Input::name) != blueprint.inputs.end();
}

// The name of the input that the node stands for; null if it is no such node.
const ConfigNode* input_of(const ConfigNode& node) {
  if (node.entries().size() != 1 || node.entries().front().key != kInputTag) return nullptr;
  return &node.entries().front().value;
}

void collect_names(const ConfigNode& node, std::vector<const ConfigNode*>& names) {
  if (const ConfigNode* const name = input_of(node)) return names.push_back(name);
  for (const ConfigNode& item : node.items()) collect_names(item, names);
  for (const ConfigNode::Entry& entry : node.entries()) collect_names(entry.value, names);
}

class BlueprintReader {
 public:
  BlueprintReader(Blueprint& made, std::string& errors) : made_(made), errors_(errors) {}

  void header(const ConfigNode& node) {
    ConfigReader in(node);
    std::string name = read_text(in, "name");
    if (name.empty()) note_missing(in, node, "name");
    made_.domain = read_text(in, "domain");
    if (std::ranges::find(kBlueprintDomains, made_.domain) == std::end(kBlueprintDomains)) {
      const ConfigNode* const given = in.find("domain");
      note(in, given ? *given : node,
           given ? given->mismatch("automation, script or template") : node.error("domain is missing"));
    }
    for (const char* const key : {"description", "author", "source_url", "homeassistant", "icon"}) in.find(key);
    if (const ConfigNode* const inputs = in.find("input")) read_inputs(in, *inputs, true);
    if (auto read = in.finish(0); !read) add(read.error().message);
  }

  void add(std::string_view message) { errors_ = with_lines(std::move(errors_), message); }

 private:
  void read_inputs(ConfigReader& in, const ConfigNode& node, bool may_have_sections) {
    if (!node.is_map() && !node.is_empty()) return note(in, node, node.mismatch("names with descriptions"));
    for (const ConfigNode::Entry& entry : node.entries()) {
      const ConfigNode* const section = entry.value.find("input");
      if (section && may_have_sections) {
        read_inputs(in, *section, false);
        continue;
      }
      if (!entry.value.is_map() && !entry.value.is_empty()) {
        note(in, entry.value, entry.value.mismatch("name, description, default, selector"));
        continue;
      }
      if (made_.inputs.size() >= kMaxInputs) return note(in, node, fmt::format("has more than {} inputs", kMaxInputs));
      if (has_input(made_, entry.key)) {
        note(in, entry.value, "the input is there twice");
        continue;
      }
      const ConfigNode* const selector = entry.value.find("selector");
      const ConfigNode* const title = entry.value.find("name");
      const auto text = title ? title->text() : base::Result<std::string>(entry.key);
      made_.inputs.push_back({entry.key, text ? *text : entry.key, entry.value.find("default"),
                              selector ? written_as(*selector) : json::value()});
    }
  }

  Blueprint& made_;
  std::string& errors_;
};

// A copy of the node with the inputs' values in their places, as long as there is room.
class Substitution {
 public:
  using Values = std::map<std::string, const ConfigNode*, std::less<>>;
  explicit Substitution(const Values& values) : values_(values) {}

  ConfigNode copy(const ConfigNode& node) {
    if (const ConfigNode* const name = input_of(node)) {
      const auto text = name->text();
      const auto found = text ? values_.find(*text) : values_.end();
      if (found == values_.end() || !found->second) return ConfigNode(node.place());
      count(base::to_json(written_as(*found->second)).size());
      return *found->second;
    }
    count(1);
    if (is_full()) return ConfigNode(node.place());
    if (node.is_list()) {
      ConfigNode::List list;
      for (const ConfigNode& item : node.items()) list.push_back(copy(item));
      return {node.place(), std::move(list)};
    }
    if (!node.is_map()) return node;
    ConfigNode::Map map;
    for (const ConfigNode::Entry& entry : node.entries()) map.push_back({entry.key, copy(entry.value)});
    return {node.place(), std::move(map)};
  }
  bool is_full() const { return bytes_ > kMaxItemBytes; }

 private:
  void count(std::size_t bytes) { bytes_ += bytes; }

  const Values& values_;
  std::size_t bytes_ = 0;
};

const ConfigNode* inputs_of(const ConfigNode& use) {
  return use.find("input");
}

}  // namespace

base::Result<Blueprint> parse_blueprint(ConfigNode node, std::string hash) {
  Blueprint made;
  made.hash = std::move(hash);
  made.root = std::make_shared<const ConfigNode>(std::move(node));
  const ConfigNode* const header = made.root->find("blueprint");
  if (!header) {
    return std::unexpected(made.root->error("expected a blueprint: the key blueprint with name, domain and input"));
  }
  std::string errors;
  collect_broken(*made.root, errors);
  BlueprintReader reader(made, errors);
  reader.header(*header);
  made.metadata = json::object();
  if (json::value written = written_as(*header); written.is_object()) made.metadata = std::move(written.get_object());
  std::vector<const ConfigNode*> names;
  for (const ConfigNode::Entry& entry : made.root->entries()) {
    if (entry.key != "blueprint") collect_names(entry.value, names);
  }
  for (const ConfigNode* const name : names) {
    const auto text = name->text();
    if (text && has_input(made, *text)) continue;
    reader.add(name->error(fmt::format("the blueprint has no input {}", text ? *text : "of that name")).message);
  }
  if (!errors.empty()) return base::fail(base::ErrorCode::invalid, std::move(errors));
  return made;
}

const ConfigNode* use_of(const ConfigNode& item) {
  return item.find("use_blueprint");
}

base::Result<const BlueprintVersions*> find_used(const Blueprints* blueprints, std::string_view domain,
                                                 const ConfigNode& use) {
  if (!use.is_map()) return std::unexpected(use.mismatch("path and input"));
  for (const ConfigNode::Entry& entry : use.entries()) {
    if (entry.key != "path" && entry.key != "input")
      return std::unexpected(entry.value.error("unknown key. Known: path, input"));
  }
  const ConfigNode* const path = use.find("path");
  if (!path) return std::unexpected(use.error("path is missing"));
  const auto text = path->text();
  if (!text) return std::unexpected(text.error());
  const ConfigNode* const inputs = inputs_of(use);
  if (inputs && !inputs->is_map() && !inputs->is_empty())
    return std::unexpected(inputs->mismatch("inputs with values"));
  const auto found = blueprints ? blueprints->find(fmt::format("{}/{}", domain, *text)) : Blueprints::const_iterator();
  if (!blueprints || found == blueprints->end())
    return std::unexpected(path->error(fmt::format("there is no blueprints/{}/{}", domain, *text)));
  return &found->second;
}

base::Result<ConfigNode> substituted(const Blueprint& blueprint, const ConfigNode& item) {
  const ConfigNode& use = *use_of(item);
  const ConfigNode* const given = inputs_of(use);
  Substitution::Values values;
  std::string errors;
  for (const Blueprint::Input& input : blueprint.inputs) {
    const ConfigNode* const value = given ? given->find(input.name) : nullptr;
    values[input.name] = value ? value : input.otherwise;
    if (value || input.otherwise) continue;
    const ConfigNode& at = given && !given->is_empty() ? *given : use;
    errors = with_lines(std::move(errors), at.error(fmt::format("the input {} is missing", input.name)).message);
  }
  if (!errors.empty()) return base::fail(base::ErrorCode::invalid, std::move(errors));
  Substitution substitution(values);
  ConfigNode::Map whole;
  const auto is_own = [&](std::string_view key) {
    return std::ranges::any_of(item.entries(), [&](const ConfigNode::Entry& own) {
      return own.key == key || (blueprint.domain != "script" && new_key_of(own.key) == new_key_of(key));
    });
  };
  for (const ConfigNode::Entry& entry : blueprint.root->entries()) {
    if (entry.key != "blueprint" && !is_own(entry.key)) whole.push_back({entry.key, substitution.copy(entry.value)});
  }
  for (const ConfigNode::Entry& entry : item.entries()) {
    if (entry.key != "use_blueprint") whole.push_back(entry);
  }
  if (substitution.is_full()) return std::unexpected(use.error("with its inputs it is larger than 1 MiB"));
  return ConfigNode(item.place(), std::move(whole));
}

std::vector<std::string> misfits(const Blueprint& blueprint, const ConfigNode& use) {
  std::vector<std::string> lines;
  const ConfigNode* const given = inputs_of(use);
  if (!given) return lines;
  for (const ConfigNode::Entry& entry : given->entries()) {
    const auto input = std::ranges::find(blueprint.inputs, entry.key, &Blueprint::Input::name);
    if (input == blueprint.inputs.end()) {
      lines.push_back(entry.value.error("the blueprint has no such input").message);
      continue;
    }
    if (const std::string expected = expected_by(input->selector, written_as(entry.value)); !expected.empty())
      lines.push_back(entry.value.mismatch(expected).message);
  }
  return lines;
}

}  // namespace hearth::automation
