// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/sections/foreign_words.h"
#include "base/text/text.h"
#include "core/values/words.h"

namespace hearth::app {
namespace {

using base::ConfigNode;

constexpr std::string_view kHome = "home", kLarger = "homeassistant", kPackages = "packages";
constexpr double kMaxCommitSeconds = 60;
// Sections that a package may add to: keys that configuration.yaml has itself win, lists are joined.
constexpr core::Words kOwnSections{"home http api frontend limits log recorder fleet prometheus zeroconf"};

std::string text_or_empty(const ConfigNode& node) {
  return node.text().value_or("");
}

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return made;
}

// The node's place with another text.
ConfigNode with_text(const ConfigNode& node, std::string text) {
  return ConfigNode(node.place(), std::move(text), {.plain = true, .secret = node.writing().secret});
}

void add(ConfigNode::Map& map, std::string_view key, ConfigNode value) {
  const auto is_there = std::ranges::find(map, key, &ConfigNode::Entry::key);
  if (is_there == map.end()) map.push_back({std::string(key), std::move(value)});
}

// Joins two values: a key of both counts as in `first`; lists are joined.
ConfigNode merged(const ConfigNode& first, const ConfigNode& second) {
  if (first.is_list() && second.is_list()) {
    ConfigNode::List list = first.items();
    list.insert(list.end(), second.items().begin(), second.items().end());
    return ConfigNode(first.place(), std::move(list));
  }
  if (first.is_empty()) return second;
  if (!first.is_map() || !second.is_map()) return first;
  ConfigNode::Map map = first.entries();
  for (const ConfigNode::Entry& entry : second.entries()) {
    const auto same = std::ranges::find(map, entry.key, &ConfigNode::Entry::key);
    if (same == map.end())
      map.push_back(entry);
    else
      same->value = merged(same->value, entry.value);
  }
  return ConfigNode(first.place(), std::move(map));
}

// A number of days or seconds, which may be in quotes or have a fraction.
std::optional<double> number_in(const ConfigNode& node) {
  const auto number = node.number(0, 1e9);
  return number ? std::optional(*number) : std::nullopt;
}

class Translator {
 public:
  explicit Translator(Findings& findings) : findings_(findings) {}

  ConfigNode file(const ConfigNode& root) {
    sections(root, root_);
    if (const auto home = std::ranges::find(root_, kHome, &ConfigNode::Entry::key); home != root_.end())
      home->value = with_packages(home->value);
    for (ConfigNode::Entry& each : of_packages_) put(std::move(each));
    return ConfigNode(root.place(), std::move(root_));
  }

 private:
  void put(ConfigNode::Entry section) {
    const auto same = std::ranges::find(root_, section.key, &ConfigNode::Entry::key);
    if (same == root_.end())
      root_.push_back(std::move(section));
    else
      same->value = merged(same->value, section.value);
  }

  // Translates the sections of the file, or of a package.
  void sections(const ConfigNode& from, ConfigNode::Map& to) {
    for (const ConfigNode::Entry& entry : from.entries()) {
      const std::string name = entry.key == kLarger ? std::string(kHome) : entry.key;
      if (const ForeignWord* const word = find_foreign(name)) {
        // `camera: [{platform: …}]` names each platform; the section says enough.
        found(entry.value, *word);
        if (name == "logger") logger(entry.value, to);
        continue;
      }
      ConfigNode section = kOwnSections.contains(name) || name == "mqtt" ? keys(name, entry.value) : entry.value;
      const auto same = std::ranges::find(to, name, &ConfigNode::Entry::key);
      if (same == to.end()) {
        to.push_back({name, std::move(section)});
        continue;
      }
      // `home` and `homeassistant`, or `log` and `logger`.
      left_out(entry.value, fmt::format("the file has {}, too; its keys win over those here", same->value.place().key));
      same->value = merged(same->value, section);
    }
  }

  ConfigNode keys(const std::string& section, const ConfigNode& from) {
    if (!from.is_map()) return from;
    ConfigNode::Map made;
    for (const ConfigNode::Entry& entry : from.entries()) {
      const std::string path = fmt::format("{}.{}", section, entry.key);
      const bool with_keys = path == "recorder.include" || path == "recorder.exclude";
      if (const ForeignWord* const word = find_foreign(path))
        key(path, *word, entry, from, made);
      else
        add(made, entry.key, with_keys ? keys(path, entry.value) : value(path, entry.value));
    }
    return ConfigNode(from.place(), std::move(made));
  }

  void key(const std::string& path, const ForeignWord& word, const ConfigNode::Entry& entry, const ConfigNode& section,
           ConfigNode::Map& made) {
    if (path == "recorder.commit_interval") {
      const auto seconds = number_in(entry.value);
      if (!seconds) return add(made, entry.key, entry.value);
      found(entry.value, word);
      const auto milliseconds = static_cast<std::int64_t>(std::min(*seconds, kMaxCommitSeconds) * 1000);
      return add(made, entry.key, with_text(entry.value, fmt::format("{}ms", milliseconds)));
    }
    found(entry.value, word);
    if (path.starts_with("home.customize")) return add(made, entry.key, entry.value);
    if (section.find("keep")) return;
    if (path == "recorder.purge_keep_days") {
      const ConfigNode* const purges = section.find("auto_purge");
      if (purges && !purges->boolean().value_or(true)) return;
      // In hours, since there may be a fraction; a wrong value is named by its reader.
      const auto days = number_in(entry.value);
      add(made, "keep",
          days ? with_text(entry.value, fmt::format("{}h", std::max(std::lround(*days * 24), 1L))) : entry.value);
    } else if (path == "recorder.auto_purge" && !entry.value.boolean().value_or(true)) {
      add(made, "keep", with_text(entry.value, "forever"));
    }
  }

  // Values that the larger hub writes otherwise.
  ConfigNode value(const std::string& path, const ConfigNode& given) {
    if (path == "home.unit_system" && lower(text_or_empty(given)) == "imperial")
      return with_text(given, "us_customary");
    if (path == "home.elevation") {
      if (const auto metres = given.number(-1e6, 1e6)) return with_text(given, std::to_string(std::lround(*metres)));
    }
    if (path == "home.packages") return given;
    if (path == "http.cors_allowed_origins") {
      const bool is_any = text_or_empty(given) == "*";
      if (!given.is_list() && !is_any) return given;
      ConfigNode::List kept;
      for (const ConfigNode& each : is_any ? ConfigNode::List{given} : given.items()) {
        if (text_or_empty(each) == "*")
          left_out(each, "this hub lets no page of any origin in; name the origins");
        else
          kept.push_back(each);
      }
      return ConfigNode(given.place(), std::move(kept));
    }
    return given;
  }

  void logger(const ConfigNode& from, ConfigNode::Map& to) {
    const ConfigNode* const level = from.find("default");
    for (const ConfigNode::Entry& entry : from.entries()) {
      if (const ForeignWord* const word = find_foreign("logger." + entry.key))
        found(entry.value, *word);
      else if (entry.key != "default")
        left_out(entry.value, "unknown key. Known: default, logs, filters");
    }
    if (!level || std::ranges::find(to, "log", &ConfigNode::Entry::key) != to.end()) return;
    constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
        {"notset", "debug"}, {"warn", "warning"}, {"critical", "error"}, {"fatal", "error"}};
    const std::string given = lower(text_or_empty(*level));
    const auto other = std::ranges::find(kLevels, given, &std::pair<std::string_view, std::string_view>::first);
    ConfigNode::Map log;
    log.push_back({"level", other == std::end(kLevels) ? *level : with_text(*level, std::string(other->second))});
    to.push_back({"log", ConfigNode(from.place(), std::move(log))});
  }

  ConfigNode with_packages(const ConfigNode& home) {
    ConfigNode::Map made;
    for (const ConfigNode::Entry& entry : home.entries()) {
      if (entry.key != kPackages || !entry.value.is_map()) {
        made.push_back(entry);
        continue;
      }
      ConfigNode::Map packages;
      for (const ConfigNode::Entry& package : entry.value.entries())
        packages.push_back({package.key, rest_of(package.value)});
      made.push_back({entry.key, ConfigNode(entry.value.place(), std::move(packages))});
    }
    return home.is_map() ? ConfigNode(home.place(), std::move(made)) : home;
  }

  // The package without the sections that count as if they stood in configuration.yaml.
  ConfigNode rest_of(const ConfigNode& package) {
    if (!package.is_map()) return package;
    ConfigNode::Map own, rest;
    sections(package, own);
    for (ConfigNode::Entry& entry : own) {
      if (!kOwnSections.contains(entry.key)) {
        rest.push_back(std::move(entry));
      } else if (const ConfigNode* const packages = entry.value.find(kPackages); packages && entry.key == kHome) {
        left_out(*packages, "a package has no packages of its own");
      } else {
        of_packages_.push_back(std::move(entry));
      }
    }
    return ConfigNode(package.place(), std::move(rest));
  }

  void found(const ConfigNode& node, const ForeignWord& word) {
    if (word.kind == ForeignWord::Kind::not_here)
      return left_out(node, fmt::format("this hub does not have it: {}", word.meaning));
    const std::string_view how = word.kind == ForeignWord::Kind::built_in ? "built in here" : "taken as";
    findings_.push_back(
        {Finding::Kind::note, node.place().line,
         node.error(fmt::format("{}{} {}", how, word.kind == ForeignWord::Kind::built_in ? ":" : "", word.meaning))
             .message});
  }
  void left_out(const ConfigNode& node, std::string_view why) {
    findings_.push_back({Finding::Kind::left_out, node.place().line, node.error(why).message});
  }

  Findings& findings_;
  ConfigNode::Map root_;
  ConfigNode::Map of_packages_;
};

}  // namespace

ConfigNode with_own_words(const ConfigNode& root, Findings& findings) {
  if (!root.is_map()) return root;
  return Translator(findings).file(root);
}

}  // namespace hearth::app
