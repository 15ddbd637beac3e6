// SPDX-License-Identifier: Apache-2.0
#include "app/files/yaml_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "app/files/configuration_file.h"

namespace hearth::app {
namespace {

using base::ConfigNode;
using base::ErrorCode;
namespace fs = std::filesystem;

constexpr std::string_view kSecrets = "secrets.yaml";
// Files that count even if nothing includes them.
constexpr std::array<std::string_view, 3> kOwnNames = {"automations.yaml", "scripts.yaml", "scenes.yaml"};

bool is_own_name(std::string_view relative) {
  return std::ranges::find(kOwnNames, relative) != kOwnNames.end();
}

std::unexpected<base::Error> wrong(std::string message) {
  return base::fail(ErrorCode::unsupported, std::move(message));
}

base::Result<ConfigNode> environment_value(const std::string& text, const ConfigNode::Place& place) {
  const std::size_t end = text.find(' ');
  const std::string name = text.substr(0, end);
  if (const char* const value = name.empty() ? nullptr : std::getenv(name.c_str()))
    return ConfigNode(place, value, {.plain = true});
  if (end != std::string::npos) return ConfigNode(place, text.substr(end + 1), {.plain = true});
  return wrong(fmt::format("the environment has no {}, and no default follows it", name.empty() ? "such name" : name));
}

}  // namespace

base::Result<yaml::LoadedYaml> YamlFiles::load_file(const std::string& file) {
  auto loaded = read(folder_ / file, {});
  if (!loaded && loaded.error().code == ErrorCode::unsupported) loaded.error().code = ErrorCode::invalid;
  if (loaded && !loaded->root.is_map() && !loaded->root.is_empty()) {
    const base::Error why = loaded->root.mismatch("keys with values");
    if (auto copy = read_copy(folder_ / file, {}, why))
      loaded = std::move(*copy);
    else
      loaded = std::unexpected(why);
  }
  if (loaded) loaded->warnings = take_warnings();
  return loaded;
}

base::Result<yaml::LoadedYaml> YamlFiles::load(std::string_view text, const std::string& file) {
  auto loaded = load(text, folder_ / file, {});
  if (!loaded) return loaded;
  std::ranges::move(problems_, std::back_inserter(loaded->problems));
  loaded->warnings = take_warnings();
  return loaded;
}

base::Result<yaml::LoadedYaml> YamlFiles::load(const yaml::YamlDocument& document, const std::string& file) {
  auto loaded = convert(document.document, document.text, folder_ / file, {});
  if (loaded) loaded->warnings = take_warnings();
  return loaded;
}

base::Result<yaml::LoadedYaml> YamlFiles::load(std::string_view text, const fs::path& file, std::string key) {
  const auto document = yaml::parse_yaml_text(text, file.lexically_relative(folder_).native());
  if (!document) return std::unexpected(document.error());
  return convert(*document, text, file, std::move(key));
}

base::Result<yaml::LoadedYaml> YamlFiles::convert(const std::optional<YAML::Node>& document, std::string_view text,
                                                  const fs::path& file, std::string key) {
  bytes_ += text.size();
  const yaml::YamlReading reading{
      .resolve = [this, &file](std::string_view tag, const std::string& value,
                               const Node::Place& place) { return resolve(file, tag, value, place); },
      .tolerates = [this](std::string_view) { return faults_stay_; },
      .key = std::move(key)};
  ++depth_;
  auto loaded = yaml::convert_yaml(document, text, file.lexically_relative(folder_).native(), reading);
  --depth_;
  if (!loaded) return loaded;
  values_ += loaded->values;
  std::ranges::move(loaded->warnings, std::back_inserter(warnings_));
  loaded->warnings.clear();
  return loaded;
}

base::Result<yaml::LoadedYaml> YamlFiles::read(const fs::path& file, std::string key) {
  read_.look_at(file);
  const auto text = read_text_file(file);
  base::Result<yaml::LoadedYaml> loaded = text ? load(*text, file, key) : std::unexpected(text.error());
  if (text) read_.note(file, *text, loaded.has_value());
  if (loaded) return loaded;
  if (!text) {
    note_failure(text.error());
    loaded.error().message = relative(std::move(loaded.error().message));
    if (loaded.error().code != ErrorCode::not_found) loaded.error().code = ErrorCode::unsupported;
  }
  if (auto copy = read_copy(file, std::move(key), loaded.error())) return std::move(*copy);
  return loaded;
}

void YamlFiles::note_failure(const base::Error& error) {
  if (error.code == ErrorCode::unavailable && !failure_) failure_ = {error.code, relative(error.message)};
}

std::optional<yaml::LoadedYaml> YamlFiles::read_copy(const fs::path& file, std::string key, const base::Error& why) {
  if (!last_good_) return {};
  const auto text = last_good_->file(file.lexically_relative(folder_));
  auto loaded = text ? load(*text, file, std::move(key)) : std::unexpected(text.error());
  if (!loaded) return {};
  findings_.push_back({Finding::Kind::wrong, 0, why.message, Finding::Instead::last_good});
  return std::move(*loaded);
}

YamlFiles::Resolved YamlFiles::resolve(const fs::path& from, std::string_view tag, const std::string& text,
                                       const Node::Place& place) {
  if (tag == "!env_var") return environment_value(text, place);
  const bool known = tag == "!include" || tag == "!include_dir_list" || tag == "!include_dir_merge_list" ||
                     tag == "!include_dir_named" || tag == "!include_dir_merge_named" || tag == "!secret";
  if (!known) return {};
  if (text.empty()) return wrong(fmt::format("expected a name after {}", tag));
  if (tag == "!secret") return secret(from, text, place);
  const auto path = inside(from, text);
  if (!path) return std::unexpected(path.error());
  if (tag == "!include") {
    named_.insert(path->lexically_normal());
    return include(*path, place.key);
  }
  return include_folder(*path, tag, place);
}

base::Result<fs::path> YamlFiles::inside(const fs::path& from, const std::string& name) const {
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder_, error);
  if (error) return wrong(fmt::format("the configuration folder cannot be read: {}", error.message()));
  // Relative to the file as it is named; links are followed to see where it really is.
  const fs::path named = (from.parent_path() / name).lexically_normal();
  if (is_own_name(named.lexically_relative(folder_.lexically_normal()).native())) return named;
  const fs::path real = fs::weakly_canonical(named, error);
  if (error) return wrong(fmt::format("{} cannot be read: {}", name, error.message()));
  const fs::path within = real.lexically_relative(root);
  if (within.empty() || *within.begin() == "..")
    return wrong(fmt::format("{} is outside of the configuration folder", name));
  return folder_ / within;
}

std::optional<base::Result<ConfigNode>> YamlFiles::load_besides(const std::string& file, const std::string& key) {
  const fs::path path = folder_ / file;
  if (included_.contains(path.lexically_normal())) return {};
  read_.look_at(path);
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  return include(path, key);
}

std::string YamlFiles::relative(std::string message) const {
  const std::string folder = (folder_ / "").native();
  if (const std::size_t at = message.find(folder); at != std::string::npos) message.erase(at, folder.size());
  return message;
}

base::Result<ConfigNode> YamlFiles::include(const fs::path& file, std::string key) {
  if (depth_ >= kMaxDepth) return wrong(fmt::format("files include each other more than {} deep", kMaxDepth));
  if (++files_ > kMaxFiles) return wrong(fmt::format("more than {} files", kMaxFiles));
  included_.insert(file.lexically_normal());
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (bytes_ + (error ? 0 : bytes) > kMaxBytes || values_ > kMaxValues)
    return wrong(fmt::format("the files together hold more than {} MiB or {} values", kMaxBytes >> 20, kMaxValues));
  auto loaded = read(file, std::move(key));
  if (loaded) {
    std::ranges::move(loaded->problems, std::back_inserter(problems_));
    return std::move(loaded->root);
  }
  if (loaded.error().code == ErrorCode::not_found) loaded.error().code = ErrorCode::unsupported;
  return std::unexpected(std::move(loaded.error()));
}

base::Result<ConfigNode> YamlFiles::include_folder(const fs::path& folder, std::string_view tag,
                                                   const Node::Place& place) {
  read_.note_folder(folder);
  const auto files = yaml_files_below(folder);
  if (!files) note_failure(files.error());
  if (!files) return wrong(relative(files.error().message));
  const bool merged = tag.contains("_merge"), named = tag.ends_with("named");
  Node::List list;
  Node::Map map;
  const auto put = [&](std::string key, Node value) {
    std::erase_if(map, [&](const Node::Entry& former) { return former.key == key; });
    map.push_back({std::move(key), std::move(value)});
  };
  for (const fs::path& file : *files) {
    if (file.filename() == kSecrets) continue;
    const std::string stem = file.stem().native();
    const std::string key = merged  ? place.key
                            : named ? fmt::format("{}.{}", place.key, stem)
                                    : fmt::format("{}[{}]", place.key, list.size());
    // Links are followed, as for !include.
    const auto real = inside(file, file.filename().native());
    auto content = real ? include(*real, key) : std::unexpected(real.error());
    if (!content) {
      // The others count all the same.
      const base::Error why =
          content.error().code == ErrorCode::unsupported ? Node(place).error(content.error().message) : content.error();
      if (!faults_stay_) return std::unexpected(why);
      content = Node(place, why);
    }
    if (content->is_empty() && (merged || !named)) continue;
    const bool fits = !merged || content->broken() || (named ? content->is_map() : content->is_list());
    if (!fits) {
      const base::Error why = content->mismatch(named ? "keys with values" : "a list");
      if (!faults_stay_) return std::unexpected(why);
      content = Node(content->place(), why);
    }
    const bool whole = !merged || content->broken();
    if (whole && named)
      put(stem, std::move(*content));
    else if (whole)
      list.push_back(std::move(*content));
    else if (named)
      for (const Node::Entry& entry : content->entries()) put(entry.key, entry.value);
    else
      list.insert(list.end(), content->items().begin(), content->items().end());
  }
  if (named) return Node(place, std::move(map));
  return Node(place, std::move(list));
}

base::Result<ConfigNode> YamlFiles::secret(const fs::path& from, const std::string& name, const Node::Place& place) {
  for (fs::path folder = from.parent_path();; folder = folder.parent_path()) {
    const base::Result<Node>& secrets = secrets_in(folder);
    if (!secrets) return std::unexpected(secrets.error());
    if (const Node* const value = secrets->find(name)) {
      if (!value->is_text()) return wrong(fmt::format("the secret {} is not a text", name));
      return Node(place, value->text().value(), {.plain = value->writing().plain, .secret = true});
    }
    if (folder == folder_ || !folder.has_relative_path()) break;
  }
  return wrong(fmt::format("there is no secret {} in {}", name, kSecrets));
}

const base::Result<ConfigNode>& YamlFiles::secrets_in(const fs::path& folder) {
  const auto known = secrets_.find(folder);
  if (known != secrets_.end()) return known->second;
  const fs::path file = folder / kSecrets;
  const auto read = [&]() -> base::Result<Node> {
    read_.look_at(file);
    std::error_code error;
    if (!fs::exists(file, error)) return Node();
    const auto text = read_text_file(file);
    if (!text) note_failure(text.error());
    // Without tags: a secret is no other secret.
    const auto load = [&](const std::string& content) {
      return yaml::load_yaml(content, file.lexically_relative(folder_).native(),
                             {.tolerates = [](std::string_view) { return true; }});
    };
    base::Result<yaml::LoadedYaml> loaded = wrong(text ? "" : relative(text.error().message));
    if (text) loaded = load(*text);
    if (text) read_.note(file, *text, loaded.has_value());
    const base::Result<std::string> none = base::fail(ErrorCode::not_found, "");
    const auto copy = loaded || !last_good_ ? none : last_good_->file(file.lexically_relative(folder_));
    if (auto former = load(copy.value_or("")); copy && former) {
      findings_.push_back({Finding::Kind::wrong, 0, loaded.error().message, Finding::Instead::last_good});
      return std::move(former->root);
    }
    if (!loaded) return std::unexpected(loaded.error());
    return std::move(loaded->root);
  };
  return secrets_.emplace(folder, read()).first->second;
}

}  // namespace hearth::app
