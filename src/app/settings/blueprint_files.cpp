// SPDX-License-Identifier: Apache-2.0
#include "app/settings/blueprint_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/blueprints/built_in_blueprints.h"
#include "app/files/configuration_file.h"
#include "app/files/private_file.h"
#include "app/files/revised_file.h"
#include "app/settings/blueprint_source.h"
#include "automation/config/item_node.h"
#include "automation/config/json_node.h"
#include "automation/config/parsing.h"
#include "automation/items/item_parser.h"
#include "base/digest.h"
#include "base/log/log.h"
#include "base/net/download.h"
#include "yaml/yaml_loader.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using automation::Blueprint;
using base::ConfigNode;
using base::ErrorCode;

constexpr std::string_view kBlueprintDomains[] = {"automation", "script", "template"};
constexpr std::size_t kMaxBlueprints = 1'000, kMaxFormer = 5, kMaxPathBytes = 200, kMaxPathFolders = 4;
constexpr std::uintmax_t kMaxBlueprintBytes = 32 << 20;  // of all, with the former ones

base::Result<Blueprint> blueprint_of(const std::string& text, const std::string& file) {
  const auto resolve = [](std::string_view tag, const std::string& name,
                          const ConfigNode::Place& place) -> std::optional<base::Result<ConfigNode>> {
    if (tag != automation::kInputTag) return {};
    ConfigNode::Map input;
    input.push_back({std::string(automation::kInputTag), ConfigNode(place, name)});
    return ConfigNode(place, std::move(input));
  };
  auto loaded = yaml::load_yaml(text, file, {.resolve = resolve});
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  std::string errors;
  for (const yaml::LoadedYaml::Problem& problem : loaded->problems)
    errors += (errors.empty() ? "" : "\n") + problem.error.message;
  if (!errors.empty()) return base::fail(ErrorCode::invalid, std::move(errors));
  return automation::parse_blueprint(std::move(loaded->root), base::sha256_hex(text));
}

base::Result<Blueprint> read_blueprint(const fs::path& file, const std::string& name, std::string_view domain) {
  const auto text = read_text_file(file);
  if (!text) return std::unexpected(text.error());
  auto blueprint = blueprint_of(*text, name);
  if (blueprint && blueprint->domain != domain)
    return base::fail(ErrorCode::invalid, fmt::format("{}: is a blueprint of {}, and belongs into blueprints/{}", name,
                                                      blueprint->domain, blueprint->domain));
  return blueprint;
}

bool is_path(std::string_view path) {
  if (path.size() > kMaxPathBytes || !path.ends_with(".yaml") || path.contains("//") || path.starts_with('/'))
    return false;
  if (std::ranges::count(path, '/') > static_cast<std::ptrdiff_t>(kMaxPathFolders)) return false;
  bool begins = true;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       c == '-' || c == '.' || c == '/' || c == ' ';
    if (!plain || (begins && (c == '.' || c == '/' || c == ' '))) return false;
    begins = c == '/';
  }
  return true;
}

bool is_domain(const std::string& domain) {
  return std::ranges::find(kBlueprintDomains, domain) != std::end(kBlueprintDomains);
}

base::Result<void> check(const std::string& domain, const std::string& path) {
  if (!is_domain(domain)) return base::fail(ErrorCode::invalid, "domain: expected automation, script or template.");
  if (is_path(path)) return {};
  return base::fail(
      ErrorCode::invalid,
      fmt::format("path: expected author/name.yaml of letters, digits, _, -, . and blanks, at most {} bytes.",
                  kMaxPathBytes));
}

// Calls function(item) for each automation or script that uses the blueprint.
template <class Function>
void for_each_use(const automation::Configuration& configuration, const std::string& domain, const std::string& path,
                  Function&& function) {
  if (domain == "template") return;
  for (const auto& item : domain == "script" ? configuration.scripts : configuration.automations) {
    if (item->blueprint == path) function(*item);
  }
}

// Calls function(node) for each block of template entities that uses it.
template <class Function>
void for_each_template_use(const automation::Sections& sections, const std::string& path, Function&& function) {
  for (const ConfigNode& section : sections.templates) {
    for (const ConfigNode& node : automation::one_or_many(&section)) {
      const ConfigNode* const use = automation::use_of(node);
      const ConfigNode* const used = use ? use->find("path") : nullptr;
      if (used && used->is_text() && used->text().value() == path) function(node);
    }
  }
}

json::object outdated_row(const std::string& domain, const std::string& id, const std::string& name,
                          const std::string& error) {
  return {{"domain", domain}, {"item_id", id}, {"name", name}, {"error", error}};
}

// The hub's own, by path. Immutable after the first call. Any thread.
const automation::Blueprints& built_in_blueprints() {
  static const automation::Blueprints kAll = [] {
    automation::Blueprints all;
    for (const BuiltInBlueprint& each : built_in_texts()) {
      const std::string file = fmt::format("{}/{}", kBlueprintsFolder, each.path);
      all[std::string(each.path)].push_back(blueprint_of(std::string(each.text), file));
    }
    return all;
  }();
  return kAll;
}

std::unexpected<base::Error> none_there(const base::Error& error, const std::string& path) {
  if (error.code == ErrorCode::unavailable) return std::unexpected(error);
  return base::fail(ErrorCode::not_found, fmt::format("There is no blueprint {}.", path));
}

void note_failure(std::optional<base::Error>* failure, const base::Error& error) {
  if (failure && !*failure && error.code == ErrorCode::unavailable) *failure = error;
}

base::Result<void> check_size(const std::string& text) {
  if (text.size() <= automation::kMaxItemBytes) return {};
  return base::fail(ErrorCode::invalid, fmt::format("yaml: expected at most {} MiB.", automation::kMaxItemBytes >> 20));
}

}  // namespace

std::shared_ptr<const automation::Blueprints> read_blueprints(const fs::path& home, ReadFiles* read,
                                                              std::optional<base::Error>* failure) {
  const auto all = std::make_shared<automation::Blueprints>();
  // A file of the home wins: what has used it goes on as before.
  const auto whole = [&all] {
    all->insert(built_in_blueprints().begin(), built_in_blueprints().end());
    return all;
  };
  std::uintmax_t bytes = 0;
  const auto has_room = [&](const fs::path& file) {
    std::error_code gone;
    const std::uintmax_t size = fs::file_size(file, gone);
    if (!gone) bytes += size;
    return bytes <= kMaxBlueprintBytes;
  };
  for (const std::string_view domain : kBlueprintDomains) {
    const fs::path folder = home / kBlueprintsFolder / domain;
    if (read) read->note_folder(folder);
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      const std::string path = entry->path().lexically_relative(folder).native();
      std::error_code gone;
      if (entry->path().filename().native().starts_with('.')) {
        entry.disable_recursion_pending();
        continue;
      }
      if (!is_path(path) || !entry->is_regular_file(gone)) continue;
      if (all->size() >= kMaxBlueprints || !has_room(entry->path())) {
        base::log_warning("blueprint", "there are more than {} blueprints or {} MiB of them; the others are left out",
                          kMaxBlueprints, kMaxBlueprintBytes >> 20);
        return whole();
      }
      const std::string name = entry->path().lexically_relative(home).native();
      automation::BlueprintVersions& versions = (*all)[fmt::format("{}/{}", domain, path)];
      if (read) {
        read->look_at(entry->path());
        if (const auto text = read_text_file(entry->path())) read->note(entry->path(), *text, false);
      }
      versions.push_back(read_blueprint(entry->path(), name, domain));
      if (!versions.back()) note_failure(failure, versions.back().error());
      for (const fs::path& former : revisions_in(home, entry->path())) {
        if (versions.size() > kMaxFormer || !has_room(former)) break;
        versions.push_back(read_blueprint(former, former.lexically_relative(home).native(), domain));
      }
    }
    if (error) note_failure(failure, {code_of_unreadable(error.value()), folder.native() + ": " + error.message()});
  }
  return whole();
}

void BlueprintFiles::stop() {
  stopping_ = true;
  downloads_.stop();
}

fs::path BlueprintFiles::file_of(const std::string& domain, const std::string& path) const {
  return home_ / kBlueprintsFolder / domain / path;
}

base::Result<json::object> BlueprintFiles::get(const std::string& domain, const std::string& path) {
  if (auto checked = check(domain, path); !checked) return std::unexpected(checked.error());
  const fs::path file = file_of(domain, path);
  auto text = read_text_file(file);
  const auto built_in = text ? std::string_view() : built_in_text(domain + "/" + path);
  if (!built_in.empty()) {
    return json::object{{"raw_data", json::string(built_in)},
                        {"hash", base::sha256_hex(built_in)},
                        {"former", json::array()},
                        {"built_in", true}};
  }
  if (!text) return none_there(text.error(), path);
  json::array former;
  for (const fs::path& each : revisions_in(home_, file)) {
    if (former.size() >= kMaxFormer) break;
    const auto older = read_text_file(each);
    if (older) former.push_back(json::object{{"raw_data", *older}, {"hash", base::sha256_hex(*older)}});
  }
  return json::object{
      {"raw_data", *text}, {"hash", base::sha256_hex(*text)}, {"former", std::move(former)}, {"built_in", false}};
}

json::object BlueprintFiles::list(const std::string& domain) {
  json::object found;
  const std::string folder = domain + "/";
  const auto all = read_blueprints(home_);
  for (const auto& [path, versions] : *all) {
    if (!path.starts_with(folder)) continue;
    const auto& newest = versions.front();
    json::object& row = found[path.substr(folder.size())].emplace_object();
    if (newest) {
      row = {{"metadata", newest->metadata}, {"hash", newest->hash}};
    } else {
      row = {{"error", json::string(newest.error().message)}};
    }
    std::error_code gone;
    row["built_in"] = !fs::exists(home_ / kBlueprintsFolder / path, gone);
  }
  return found;
}

void BlueprintFiles::fetch(const std::string& url, Fetched fetched) {
  try {
    downloads_.start();
  } catch (const std::system_error& error) {
    return fetched(base::fail(ErrorCode::unavailable, error.what()));
  }
  const bool posted = downloads_.post([this, url, fetched] {
    BlueprintSource source = source_of(url);
    auto answer = base::download(source.url, hub_.port, stopping_);
    if (!answer)
      return fetched(base::fail(answer.error().code, fmt::format("{}: {}", source.url, answer.error().message)));
    auto text = blueprint_in(*answer, source);
    if (!text) return fetched(std::unexpected(text.error()));
    fetched(Download{std::move(*text), source.suggested_filename});
  });
  if (!posted) fetched(base::fail(ErrorCode::unavailable, "Other downloads are under way; try again later."));
}

base::Result<json::array> BlueprintFiles::outdated_by(const Blueprint& blueprint, const std::string& path) const {
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  automation::Sections sections = (*settings)->automations;
  auto all =
      std::make_shared<automation::Blueprints>(sections.blueprints ? *sections.blueprints : automation::Blueprints());
  automation::BlueprintVersions& versions = (*all)[fmt::format("{}/{}", blueprint.domain, path)];
  versions.insert(versions.begin(), blueprint);
  sections.blueprints = std::move(all);
  json::array outdated;
  for_each_use(automation::parse_configuration(sections), blueprint.domain, path, [&](const automation::Item& item) {
    const std::string& error = item.error.empty() ? item.outdated : item.error;
    if (error.empty()) return;
    outdated.push_back(outdated_row(blueprint.domain, item.unique_id, item.alias, error));
  });
  if (blueprint.domain != "template") return outdated;
  for_each_template_use(sections, path, [&](const ConfigNode& node) {
    const auto whole = automation::substituted(blueprint, automation::rerooted(node, node.place()));
    const std::string place = automation::place_of(node);
    if (!whole) outdated.push_back(outdated_row("template", place, place, whole.error().message));
  });
  return outdated;
}

base::Result<json::object> BlueprintFiles::look_at(const std::string& text, const std::string& suggested_filename) {
  const auto blueprint = blueprint_of(text, "the blueprint");
  if (!blueprint) return std::unexpected(blueprint.error());
  const std::string path = suggested_filename + ".yaml";
  if (!suggested_filename.empty()) {
    if (auto checked = check(blueprint->domain, path); !checked) return std::unexpected(checked.error());
  }
  std::error_code error;
  const bool exists = !suggested_filename.empty() && fs::exists(file_of(blueprint->domain, path), error);
  json::array outdated;
  if (exists) {
    auto found = outdated_by(*blueprint, path);
    if (!found) return std::unexpected(found.error());
    outdated = std::move(*found);
  }
  return json::object{{"suggested_filename", suggested_filename},
                      {"raw_data", text},
                      {"blueprint", json::object{{"metadata", blueprint->metadata}, {"hash", blueprint->hash}}},
                      {"validation_errors", nullptr},
                      {"exists", exists},
                      {"outdated", std::move(outdated)}};
}

base::Result<void> BlueprintFiles::save(const std::string& domain, const std::string& path, const std::string& text,
                                        const std::string& source_url, bool may_replace, Active active) {
  if (auto checked = check(domain, path); !checked) return std::unexpected(checked.error());
  if (auto fits = check_size(text); !fits) return fits;
  const auto blueprint = blueprint_of(text, path);
  if (!blueprint) return std::unexpected(blueprint.error());
  if (blueprint->domain != domain)
    return base::fail(ErrorCode::invalid,
                      fmt::format("It is a blueprint of {}, not of {}.", blueprint->domain, domain));
  const fs::path file = file_of(domain, path);
  std::error_code error;
  const bool exists = fs::exists(file, error);
  if (!exists && !built_in_text(domain + "/" + path).empty())
    return base::fail(ErrorCode::invalid,
                      fmt::format("The blueprint {} is a part of the hub: save yours under another path.", path));
  if (exists && !may_replace)
    return base::fail(ErrorCode::invalid, fmt::format("There is a blueprint {} already.", path));
  auto outdated = outdated_by(*blueprint, path);
  if (!outdated) return std::unexpected(outdated.error());
  std::string former;
  if (exists) {
    auto read = read_text_file(file);
    if (!read && read.error().code == ErrorCode::unavailable) return std::unexpected(read.error());
    if (read) former = std::move(*read);
  }
  if (auto made = make_private_folder(home_, file.parent_path()); !made) return made;
  const std::string wanted = with_source(text, blueprint->metadata.contains("source_url") ? "" : source_url);
  if (wanted != former) {
    if (auto written = write_revised(home_, file, former, wanted); !written) return std::unexpected(written.error());
  }
  const auto settings = load_();
  if (!settings) {
    // A refused text must not be there after a restart.
    const auto undone = wanted == former ? base::Result<void>() : undo_revised(home_, file, former);
    return std::unexpected(undone ? settings.error() : undone.error());
  }
  apply_(**settings, [active = std::move(active),
                      answer = json::object{{"overrides_existing", exists}, {"outdated", std::move(*outdated)}}] {
    active(answer);
  });
  return {};
}

base::Result<void> BlueprintFiles::remove(const std::string& domain, const std::string& path) {
  if (auto checked = check(domain, path); !checked) return checked;
  const fs::path file = file_of(domain, path);
  const auto text = read_text_file(file);
  if (!text && !built_in_text(domain + "/" + path).empty())
    return base::fail(ErrorCode::invalid,
                      fmt::format("The blueprint {} is a part of the hub and cannot be deleted.", path));
  if (!text) return none_there(text.error(), path);
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  std::string users;
  const auto add = [&](const std::string& name) { users += (users.empty() ? "" : ", ") + name; };
  for_each_use(automation::parse_configuration((*settings)->automations), domain, path,
               [&](const automation::Item& item) { add(item.alias); });
  if (domain == "template")
    for_each_template_use((*settings)->automations, path,
                          [&](const ConfigNode& node) { add(automation::place_of(node)); });
  if (!users.empty()) return base::fail(ErrorCode::invalid, fmt::format("It is in use: {}.", users));
  std::error_code error;
  if (!fs::remove(file, error) || error)
    return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be removed: {}", file.native(), error.message()));
  fs::remove_all(revisions_of(home_, file), error);
  return {};
}

base::Result<json::value> BlueprintFiles::substitute(const std::string& domain, const std::string& path,
                                                     const json::object& inputs) {
  if (auto checked = check(domain, path); !checked) return std::unexpected(checked.error());
  const auto all = read_blueprints(home_);
  const auto found = all->find(fmt::format("{}/{}", domain, path));
  if (found == all->end()) return base::fail(ErrorCode::not_found, fmt::format("There is no blueprint {}.", path));
  const auto& newest = found->second.front();
  if (!newest) return std::unexpected(newest.error());
  const ConfigNode use =
      automation::node_of_json(json::object{{"use_blueprint", json::object{{"path", path}, {"input", inputs}}}}, "");
  const auto whole = automation::substituted(*newest, use);
  if (!whole) return std::unexpected(whole.error());
  return automation::written_as(*whole);
}

}  // namespace hearth::app
