// SPDX-License-Identifier: Apache-2.0
#include "app/yaml_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <system_error>

#include "app/configuration_file.h"

namespace hearth::app {
namespace {

using base::ConfigNode;
using base::ErrorCode;
namespace fs = std::filesystem;

constexpr std::string_view kSecrets = "secrets.yaml";

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

// The *.yaml below the folder, by path, without names that begin with a dot.
base::Result<std::vector<fs::path>> yaml_files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(folder, error);
  for (const auto end = fs::recursive_directory_iterator(); !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    std::error_code gone;
    if (name.starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (name.ends_with(".yaml") && entry->is_regular_file(gone)) {
      files.push_back(entry->path());
      if (files.size() > YamlFiles::kMaxFiles)
        return wrong(fmt::format("{} holds more than {} files", folder.native(), YamlFiles::kMaxFiles));
    }
  }
  if (error) return wrong(fmt::format("the folder {} cannot be read: {}", folder.native(), error.message()));
  std::ranges::sort(files);
  return files;
}

}  // namespace

base::Result<LoadedYaml> YamlFiles::load(std::string_view text, const std::string& file) {
  auto loaded = load(text, folder_ / file, {});
  if (!loaded) return loaded;
  loaded->problems.insert(loaded->problems.end(), std::make_move_iterator(problems_.begin()),
                          std::make_move_iterator(problems_.end()));
  loaded->warnings = take_warnings();
  return loaded;
}

base::Result<LoadedYaml> YamlFiles::load(std::string_view text, const fs::path& file, std::string key) {
  bytes_ += text.size();
  const YamlReading reading{
      .resolve = [this, &file](std::string_view tag, const std::string& value,
                               const Node::Place& place) { return resolve(file, tag, value, place); },
      .tolerates = tolerates_,
      .key = std::move(key)};
  ++depth_;
  auto loaded = load_yaml(text, file.lexically_relative(folder_).native(), reading);
  --depth_;
  if (!loaded) return loaded;
  values_ += loaded->values;
  std::ranges::move(loaded->warnings, std::back_inserter(warnings_));
  loaded->warnings.clear();
  return loaded;
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
  const fs::path real = fs::weakly_canonical(named, error);
  if (error) return wrong(fmt::format("{} cannot be read: {}", name, error.message()));
  const fs::path within = real.lexically_relative(root);
  if (within.empty() || *within.begin() == "..")
    return wrong(fmt::format("{} is outside of the configuration folder", name));
  return folder_ / within;
}

std::optional<base::Result<ConfigNode>> YamlFiles::load_besides(const std::string& file, const std::string& key) {
  const fs::path path = folder_ / file;
  std::error_code error;
  if (included_.contains(path.lexically_normal()) || !fs::exists(path, error)) return {};
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
  const auto text = read_text_file(file);
  if (!text) return wrong(relative(text.error().message));
  if (bytes_ + text->size() > kMaxBytes || values_ > kMaxValues)
    return wrong(fmt::format("the files together hold more than {} MiB or {} values", kMaxBytes >> 20, kMaxValues));
  auto loaded = load(*text, file, std::move(key));
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  std::ranges::move(loaded->problems, std::back_inserter(problems_));
  return std::move(loaded->root);
}

base::Result<ConfigNode> YamlFiles::include_folder(const fs::path& folder, std::string_view tag,
                                                   const Node::Place& place) {
  const auto files = yaml_files_below(folder);
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
    auto content = include(file, key);
    if (!content) {
      // The others count all the same, if this may be.
      const base::Error why =
          content.error().code == ErrorCode::unsupported ? Node(place).error(content.error().message) : content.error();
      if (!tolerates_ || !tolerates_(key)) return std::unexpected(why);
      content = Node(place, why);
    }
    if (content->is_empty() && (merged || !named)) continue;
    const bool fits = !merged || content->broken() || (named ? content->is_map() : content->is_list());
    if (!fits) {
      const base::Error why = content->mismatch(named ? "keys with values" : "a list");
      if (!tolerates_ || !tolerates_(key)) return std::unexpected(why);
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
  const auto read = [&]() -> base::Result<Node> {
    const fs::path file = folder / kSecrets;
    std::error_code error;
    if (!fs::exists(file, error)) return Node();
    const auto text = read_text_file(file);
    if (!text) return wrong(text.error().message);
    auto loaded = load_yaml(*text, file.lexically_relative(folder_).native());
    if (!loaded) return std::unexpected(loaded.error());
    if (!loaded->problems.empty()) return std::unexpected(loaded->problems.front().error);
    return std::move(loaded->root);
  };
  return secrets_.emplace(folder, read()).first->second;
}

}  // namespace hearth::app
