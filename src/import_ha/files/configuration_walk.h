// SPDX-License-Identifier: Apache-2.0
// Goes through configuration.yaml and all that it includes, writes each file to the new home with the lines that this
// hub reads, and notes what becomes of the others. One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "import_ha/files/files_step.h"
#include "import_ha/files/home_files.h"
#include "import_ha/files/left_behind.h"
#include "import_ha/files/line_edits.h"
#include "yaml/yaml_text.h"

namespace hearth::import_ha {

class ConfigurationWalk {
 public:
  ConfigurationWalk(const FilesPlan& plan, HomeFiles& files, Report& report, CarriedFiles& result)
      : plan_(plan), files_(files), report_(report), result_(result) {}

  // Fails with unavailable.
  base::Result<void> run(const std::filesystem::path& file);
  // Copies a file that this hub reads whole, and what it includes.
  base::Result<void> copy_whole(const std::filesystem::path& file);

  // Written or copied already.
  bool has_seen(const std::filesystem::path& file) const { return seen_.contains(file); }
  bool has_http() const { return has_http_; }
  const LeftBehind& left_behind() const { return left_behind_; }

 private:
  // The kind of a value.
  struct Meaning {
    enum class Kind {
      sections,   // of configuration.yaml, or of a package
      packages,   // sections by the names of packages
      keys,       // of the section `name`
      platforms,  // of the domain `name`: one, or a list
      lovelace,   // dashboards
      whole,      // read as it stands
      left,       // not read: what it includes goes to the folder of what is left
    };
    Kind kind = Kind::whole;
    std::string name = {};
    bool in_package = false;
  };
  // The file that is being read.
  struct File {
    std::filesystem::path path;
    const yaml::YamlText& text;
    LineEdits& edits;
  };
  using Spot = yaml::YamlSpot;

  base::Result<void> file(const std::filesystem::path& path, const Meaning& meaning);
  base::Result<void> value(File& in, const Spot& spot, const Meaning& meaning);
  base::Result<void> tagged(const std::filesystem::path& from, const YAML::Node& node, const Meaning& meaning);
  base::Result<void> whole(const std::filesystem::path& from, const YAML::Node& node, const Meaning& meaning);

  base::Result<void> section(File& in, const Spot& spot, bool in_package);
  base::Result<void> left_section(File& in, const Spot& spot, const KnownConfiguration::Word& word);
  base::Result<void> built_in_section(File& in, const Spot& spot, const std::string& name);
  base::Result<void> platforms(File& in, const Spot& spot, const std::string& domain);
  base::Result<void> platform(File& in, const Spot& spot, const std::string& domain);
  base::Result<void> key(File& in, const Spot& spot, const std::string& path, bool in_package);

  bool logger(File& in, const Spot& spot);
  base::Result<void> lovelace(File& in, const Spot& spot);
  base::Result<void> dashboard(const std::string& id, const std::string& title, const std::filesystem::path& from,
                               const std::string& name);
  void frontend(File& in, const Spot& spot);
  void filters_left(File& in, const Spot& spot, const std::string& name);
  // True if the key is dealt with.
  bool http_key(File& in, const Spot& spot, const std::string& name);
  void cors_origins(File& in, const Spot& spot);
  bool recorder_key(File& in, const Spot& spot, const std::string& name);
  void database(File& in, const Spot& spot, const std::string& url);
  void leave_key(File& in, const Spot& spot, const std::string& path, const std::string& why);
  void auth_providers(File& in, const Spot& spot);

  // With !secret and !env_var resolved; null if it is no text, or not known.
  std::optional<std::string> text_of(const std::filesystem::path& from, const YAML::Node& node) const;
  void drop(File& in, const Spot& spot);
  void add_left(Thing thing, const File& in, const Spot& spot);

  const FilesPlan& plan_;
  HomeFiles& files_;
  Report& report_;
  CarriedFiles& result_;
  LeftBehind left_behind_;
  std::set<std::filesystem::path> seen_, left_files_;
  std::set<std::string> environment_;  // names that are told
  bool has_http_ = false;
  int depth_ = 0;
};

}  // namespace hearth::import_ha
