// SPDX-License-Identifier: Apache-2.0
// A configuration file with what its tags bring in: !include, !include_dir_list, !include_dir_merge_list,
// !include_dir_named, !include_dir_merge_named, !secret and !env_var. Files outside of the configuration folder are
// refused. One thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/yaml_loader.h"
#include "base/config_node.h"
#include "base/result.h"

namespace hearth::app {

class YamlFiles {
 public:
  // Bounds of all files together; beyond, the tag that asks for one more is an error.
  static constexpr std::size_t kMaxFiles = 2'000, kMaxBytes = 32 << 20, kMaxValues = 1'000'000;
  static constexpr std::size_t kMaxDepth = 16;  // files within files

  // `tolerates` as in YamlReading.
  YamlFiles(std::filesystem::path folder, std::function<bool(std::string_view key)> tolerates)
      : folder_(std::move(folder)), tolerates_(std::move(tolerates)) {}

  // The file of that name in the folder, whose text this is. Fails as load_yaml.
  base::Result<LoadedYaml> load(std::string_view text, const std::string& file);
  // Whether `!include` has named that file of the folder.
  bool names(const std::string& file) const { return named_.contains((folder_ / file).lexically_normal()); }
  // Another file of the folder, as the value of that key; null if it does not exist, or if it has been included.
  std::optional<base::Result<base::ConfigNode>> load_besides(const std::string& file, const std::string& key);
  // Of what has been loaded since they were last taken; load() takes its own.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  using Node = base::ConfigNode;
  using Resolved = std::optional<base::Result<Node>>;

  base::Result<LoadedYaml> load(std::string_view text, const std::filesystem::path& file, std::string key);
  Resolved resolve(const std::filesystem::path& from, std::string_view tag, const std::string& text,
                   const Node::Place& place);
  // The content of another file. Fails with unsupported if the tag is wrong, with invalid if the file is.
  // The message with paths as they are within the folder.
  std::string relative(std::string message) const;
  base::Result<Node> include(const std::filesystem::path& file, std::string key);
  base::Result<Node> include_folder(const std::filesystem::path& folder, std::string_view tag,
                                    const Node::Place& place);
  // Fails with unsupported if it leaves the configuration folder.
  base::Result<std::filesystem::path> inside(const std::filesystem::path& from, const std::string& name) const;
  base::Result<Node> secret(const std::filesystem::path& from, const std::string& name, const Node::Place& place);

  // Empty if the folder has no secrets.yaml. Fails as `include`.
  const base::Result<Node>& secrets_in(const std::filesystem::path& folder);

  const std::filesystem::path folder_;
  const std::function<bool(std::string_view key)> tolerates_;
  std::vector<LoadedYaml::Problem> problems_;
  std::vector<std::string> warnings_;
  std::map<std::filesystem::path, base::Result<Node>> secrets_;  // by folder
  std::set<std::filesystem::path> included_, named_;
  std::size_t files_ = 0, bytes_ = 0, values_ = 0, depth_ = 0;
};

}  // namespace hearth::app
