// SPDX-License-Identifier: Apache-2.0
#include "app/sections/automation_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "app/sections/foreign_words.h"
#include "automation/items/helper_parser.h"
#include "base/text/nearest_word.h"
#include "building_blocks/notify/notify_parser.h"
#include "core/registry/helper_types.h"
#include "core/values/words.h"
#include "template_entities/plan_parser.h"

namespace hearth::app {
namespace {

using automation::Sections;
using base::ConfigNode;

constexpr core::Words kDomains{"automation script scene template"};
// Domains that have lists of platforms.
constexpr core::Words kPlatformDomains{
    "alarm_control_panel binary_sensor button calendar climate cover event fan light lock media_player notify sensor "
    "switch "
    "vacuum "
    "weather"};

// Sections of sensors made of others that have a key of their own.
constexpr core::Words kDerivedKeys{"switch_as_x utility_meter"};
// Sections of building blocks: services by name, and entities that are fed from outside.
constexpr core::Words kCommandKeys{"command_line rest rest_command scrape shell_command sql wake_on_lan"};

bool is_helper(std::string_view domain) {
  const auto types = core::file_helper_types();
  return domain == automation::kZoneKey || std::ranges::find(types, domain, &core::CollectionType::name) != types.end();
}

// `automation` of `automation kitchen`; empty if it is none of these domains.
std::string_view domain_of(std::string_view key) {
  const std::string_view domain = key.substr(0, key.find(' '));
  return kDomains.contains(domain) || kPlatformDomains.contains(domain) || kDerivedKeys.contains(domain) ||
                 kCommandKeys.contains(domain) || is_helper(domain)
             ? domain
             : "";
}

void add(Sections& sections, std::string_view domain, const ConfigNode& content) {
  if (is_helper(domain)) return static_cast<void>(sections.helpers.emplace_back(std::string(domain), content));
  if (kPlatformDomains.contains(domain))
    return static_cast<void>(sections.platforms.emplace_back(std::string(domain), content));
  if (kDerivedKeys.contains(domain))
    return static_cast<void>(sections.derived.emplace_back(std::string(domain), content));
  if (kCommandKeys.contains(domain))
    return static_cast<void>(sections.commands.emplace_back(std::string(domain), content));
  auto& list = domain == "automation" ? sections.automations
               : domain == "script"   ? sections.scripts
               : domain == "scene"    ? sections.scenes
                                      : sections.templates;
  list.push_back(content);
}

// Perhaps the word that somebody mistyped.
std::string meant_by(std::string_view key) {
  std::vector<std::string_view> words;
  for (const auto domains : {kDomains, kPlatformDomains, kDerivedKeys, kCommandKeys}) {
    for (const std::string_view domain : domains) words.push_back(domain);
  }
  for (const core::CollectionType& type : core::file_helper_types()) words.push_back(type.name);
  for (const ForeignWord& word : foreign_words()) words.push_back(word.name);
  const auto nearest = base::nearest_word(key, words);
  return nearest ? fmt::format(", did you mean {}?", *nearest) : "";
}

void read_package(Sections& sections, const std::string& name, const ConfigNode& package,
                  const std::function<bool(std::string_view)>& is_read_elsewhere, Findings& findings) {
  if (!package.is_map() && !package.is_empty()) {
    sections.faults.push_back(package.mismatch("keys with values").message);
    return;
  }
  for (const ConfigNode::Entry& entry : package.entries()) {
    if (const std::string_view domain = domain_of(entry.key); !domain.empty())
      add(sections, domain, entry.value);
    else if (!is_read_elsewhere(entry.key))
      findings.push_back(
          {Finding::Kind::left_out, entry.value.place().line,
           entry.value
               .error(fmt::format("{} is not supported{}. The package {} may have automation, script, "
                                  "scene, template, command_line, rest, rest_command, "
                                  "scrape, shell_command, integrations such as mqtt, helpers and platforms of "
                                  "domains",
                                  entry.key, meant_by(entry.key), name))
               .message});
  }
}

}  // namespace

Sections read_automation_sections(base::ConfigReader& in, const ConfigNode* home, const ConfigNode& root,
                                  const std::function<bool(std::string_view)>& is_read_elsewhere, Findings& findings) {
  Sections sections;
  // Known to whoever mistypes one.
  for (const auto domains : {kDomains, kDerivedKeys, kCommandKeys}) {
    for (const std::string_view domain : domains) in.find(domain);
  }
  for (const core::CollectionType& type : core::file_helper_types()) in.find(type.name);
  in.find(automation::kZoneKey);
  for (const std::string_view domain : kPlatformDomains) in.suggest(domain);
  for (const ConfigNode::Entry& entry : root.entries()) {
    const std::string_view domain = domain_of(entry.key);
    if (domain.empty()) continue;
    in.find(entry.key);
    add(sections, domain, entry.value);
  }
  const ConfigNode* const packages = home ? home->find(kPackagesKey) : nullptr;
  if (!packages || packages->is_empty()) return sections;
  if (!packages->is_map()) {
    sections.faults.push_back(packages->mismatch("the names of packages, each with keys and values").message);
    return sections;
  }
  for (const ConfigNode::Entry& package : packages->entries())
    read_package(sections, package.key, package.value, is_read_elsewhere, findings);
  return sections;
}

bool knows_platform(std::string_view domain, std::string_view platform) {
  return template_entities::knows_platform(domain, platform) ||
         (domain == building_blocks::kNotify && building_blocks::kNotifyPlatforms.contains(platform));
}

void read_files_besides(YamlFiles& files, Sections& sections) {
  for (const std::string_view domain : {"automation", "script", "scene"}) {
    const std::string file = fmt::format("{}s.yaml", domain);
    auto content = files.load_besides(file, std::string(domain));
    if (!content) continue;
    ConfigNode::Place place{std::make_shared<const std::string>(file), 1, std::string(domain)};
    add(sections, domain, *content ? std::move(**content) : ConfigNode(std::move(place), std::move(content->error())));
  }
  std::ranges::move(files.take_warnings(), std::back_inserter(sections.warnings));
}

void read_parts(Sections& sections, const ConfigNode& part) {
  for (const ConfigNode::Entry& entry : part.entries()) {
    if (const std::string_view domain = domain_of(entry.key); !domain.empty())
      add(sections, domain, entry.value);
    else
      sections.faults.push_back(
          entry.value
              .error(fmt::format("unknown key {}, expected script, scene, template, automation, a helper or a "
                                 "domain with platforms",
                                 entry.key))
              .message);
  }
}

void add_parts(Sections& sections, Sections parts) {
  const auto without = [](const ConfigNode& map, const ConfigNode& winner) {
    ConfigNode::Map rest = map.entries();
    std::erase_if(rest, [&](const ConfigNode::Entry& entry) { return winner.find(entry.key) != nullptr; });
    return ConfigNode(map.place(), std::move(rest));
  };
  for (const ConfigNode& winner : parts.scripts) {
    for (ConfigNode& scripts : sections.scripts) {
      if (scripts.is_map()) scripts = without(scripts, winner);
    }
  }
  for (const auto& [domain, winner] : parts.helpers) {
    for (auto& [other, helpers] : sections.helpers) {
      if (other == domain && helpers.is_map()) helpers = without(helpers, winner);
    }
  }
  const auto join = [](auto& to, auto& from) { std::ranges::move(from, std::back_inserter(to)); };
  join(sections.automations, parts.automations);
  join(sections.scripts, parts.scripts);
  join(sections.scenes, parts.scenes);
  join(sections.templates, parts.templates);
  join(sections.platforms, parts.platforms);
  join(sections.helpers, parts.helpers);
  join(sections.derived, parts.derived);
  join(sections.commands, parts.commands);
}

}  // namespace hearth::app
