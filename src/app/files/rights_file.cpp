// SPDX-License-Identifier: Apache-2.0
#include "app/files/rights_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/config/config_reader.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "yaml/yaml_loader.h"

namespace hearth::app {
namespace {

using OptionalText = std::optional<std::string>;

constexpr std::size_t kMaxNames = 10'000;    // of one list
constexpr std::size_t kMaxNameLength = 255;  // code points

OptionalText parse_whole_id(std::string_view text) {
  const auto id = core::EntityId::parse(text);
  return id ? OptionalText(id->str()) : std::nullopt;
}

OptionalText parse_domain_name(std::string_view text) {
  return core::EntityId::parse(fmt::format("{}.x", text)) ? OptionalText(core::lower_case(text)) : std::nullopt;
}

OptionalText parse_label(std::string_view text) {
  const auto length = base::utf8_length(text);
  return length && *length >= 1 && *length <= kMaxNameLength ? OptionalText(text) : std::nullopt;
}

OptionalText parse_site_name(std::string_view text) {
  return core::is_slug(text) ? OptionalText(text) : std::nullopt;
}

void read_names(base::ConfigReader& in, std::string_view key, core::Selection::Names& names, std::string_view expected,
                OptionalText (*parse)(std::string_view)) {
  std::vector<std::string> list;
  in.parsed_list(key, list, expected, parse);
  if (list.size() > kMaxNames) {
    const base::ConfigNode& node = *in.find(key);
    return in.report(node.place().line, node.error(fmt::format("expected at most {} names.", kMaxNames)));
  }
  names.insert(list.begin(), list.end());
}

std::string selection_text(const core::Selection& selection) {
  std::vector<std::string> parts;
  if (selection.all) parts.emplace_back("all: true");
  const auto add = [&](std::string_view key, const core::Selection::Names& names) {
    if (!names.empty()) parts.push_back(fmt::format("{}: [{}]", key, fmt::join(names, ", ")));
  };
  add("entities", selection.entities);
  add("domains", selection.domains);
  add("areas", selection.areas);
  add("labels", selection.labels);
  add("sites", selection.sites);
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

}  // namespace

void read_selection(base::ConfigReader& in, core::Selection& selection) {
  in.boolean("all", selection.all);
  read_names(in, "entities", selection.entities, "an entity id", parse_whole_id);
  read_names(in, "domains", selection.domains, "a domain, such as light", parse_domain_name);
  read_names(in, "areas", selection.areas, "the id of an area, such as living_room", parse_label);
  read_names(in, "labels", selection.labels, "a label", parse_label);
  read_names(in, "sites", selection.sites, "the name of a site, such as lake_house", parse_site_name);
}

base::Result<core::Policy> read_rights(std::string_view text, const std::string& file) {
  const auto loaded = yaml::load_yaml(text, file);
  if (!loaded) return std::unexpected(loaded.error());
  base::ConfigReader in(loaded->root);
  for (const auto& problem : loaded->problems) in.report(problem.line, problem.error);
  core::Policy policy;
  read_selection(in.section("read"), policy.read);
  read_selection(in.section("control"), policy.control);
  return in.finish(std::move(policy));
}

std::string rights_text(const core::Policy& policy) {
  return fmt::format("read: {}\ncontrol: {}\n", selection_text(policy.read), selection_text(policy.control));
}

std::string short_rights_text(const core::Policy& policy) {
  if (policy.read == policy.control) return selection_text(policy.read);
  return fmt::format("read: {}, control: {}", selection_text(policy.read), selection_text(policy.control));
}

}  // namespace hearth::app
