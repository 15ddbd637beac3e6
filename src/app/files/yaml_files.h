// SPDX-License-Identifier: Apache-2.0
// Reads a configuration file and resolves its tags: !include, !include_dir_list, !include_dir_merge_list,
// !include_dir_named, !include_dir_merge_named, !secret and !env_var. Tags that lead out of the configuration folder
// are refused, but for links that have a name which the hub itself looks for: only the folder's owner can make one. One
// thread at a time.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/files/finding.h"
#include "app/files/last_good.h"
#include "app/files/read_files.h"
#include "base/config/config_node.h"
#include "base/result.h"
#include "yaml/yaml_document.h"
#include "yaml/yaml_loader.h"

namespace hearth::app {

class YamlFiles {
 public:
  // Bounds of all files together; beyond, the tag that asks for one more is an error.
  static constexpr std::size_t kMaxFiles = 2'000, kMaxBytes = 32 << 20, kMaxValues = 1'000'000;
  static constexpr std::size_t kMaxDepth = 16;  // files within files

  // True if a value that cannot be read is a broken node, or a problem of the whole.
  enum class Faults { stay, count };

  // `last_good`: has copies for files that cannot be read; null: there are none.
  explicit YamlFiles(std::filesystem::path folder, const LastGood* last_good = nullptr, Faults faults = Faults::stay)
      : folder_(std::move(folder)), last_good_(last_good), faults_stay_(faults == Faults::stay) {}

  // The file of that name in the folder, which must be a map or empty. Fails with not_found, and with invalid if it
  // cannot be read and has no copy.
  base::Result<yaml::LoadedYaml> load_file(const std::string& file);
  // The same file, whose text this is. Fails as load_yaml.
  base::Result<yaml::LoadedYaml> load(std::string_view text, const std::string& file);
  base::Result<yaml::LoadedYaml> load(const yaml::YamlDocument& document, const std::string& file);
  // True if `!include` has named that file of the folder.
  bool names(const std::string& file) const { return named_.contains((folder_ / file).lexically_normal()); }
  // Another file of the folder, as the value of that key; null if it does not exist, or if it has been included.
  std::optional<base::Result<base::ConfigNode>> load_besides(const std::string& file, const std::string& key);
  // Of what has been loaded since they were last taken; load() takes its own.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }
  // The files for which their copies count.
  Findings take_findings() { return std::exchange(findings_, {}); }
  // The first file that the machine, not its text, kept from being read; null: none.
  std::optional<base::Error> take_failure() { return std::exchange(failure_, {}); }
  // All that was looked at.
  ReadFiles take_read() { return std::exchange(read_, {}); }

 private:
  using Node = base::ConfigNode;
  using Resolved = std::optional<base::Result<Node>>;

  base::Result<yaml::LoadedYaml> load(std::string_view text, const std::filesystem::path& file, std::string key);
  base::Result<yaml::LoadedYaml> convert(const std::optional<YAML::Node>& document, std::string_view text,
                                         const std::filesystem::path& file, std::string key);
  Resolved resolve(const std::filesystem::path& from, std::string_view tag, const std::string& text,
                   const Node::Place& place);
  // The message with paths as they are within the folder.
  std::string relative(std::string message) const;
  // The file's content, or its copy's. Fails with not_found and as load_yaml.
  base::Result<yaml::LoadedYaml> read(const std::filesystem::path& file, std::string key);
  // Keeps the error if it is the machine's.
  void note_failure(const base::Error& error);
  std::optional<yaml::LoadedYaml> read_copy(const std::filesystem::path& file, std::string key, const base::Error& why);
  // The content of another file. Fails with unsupported if the tag is wrong, with invalid if the file is.
  base::Result<Node> include(const std::filesystem::path& file, std::string key);
  base::Result<Node> include_folder(const std::filesystem::path& folder, std::string_view tag,
                                    const Node::Place& place);
  // Fails with unsupported if it leaves the configuration folder.
  base::Result<std::filesystem::path> inside(const std::filesystem::path& from, const std::string& name) const;
  base::Result<Node> secret(const std::filesystem::path& from, const std::string& name, const Node::Place& place);

  // Empty if the folder has no secrets.yaml. Fails as `include`.
  const base::Result<Node>& secrets_in(const std::filesystem::path& folder);

  const std::filesystem::path folder_;
  const LastGood* const last_good_;
  const bool faults_stay_;
  std::vector<yaml::LoadedYaml::Problem> problems_;
  std::vector<std::string> warnings_;
  Findings findings_;
  std::optional<base::Error> failure_;
  ReadFiles read_;
  std::map<std::filesystem::path, base::Result<Node>> secrets_;  // by folder
  std::set<std::filesystem::path> included_, named_;
  std::size_t files_ = 0, bytes_ = 0, values_ = 0, depth_ = 0;
};

}  // namespace hearth::app
