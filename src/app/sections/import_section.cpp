// SPDX-License-Identifier: Apache-2.0
#include "app/sections/import_section.h"

#include <filesystem>
#include <optional>

namespace hearth::app {
namespace {

std::optional<std::string> parse_import_folder(std::string_view text) {
  std::filesystem::path folder(text);
  if (!folder.is_absolute()) return {};
  folder = folder.lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  return folder.string();
}

}  // namespace

void read_import(base::ConfigReader& in, ImportSettings& import) {
  in.parsed_list("folders", import.folders, "an absolute path such as /srv/homeassistant", parse_import_folder);
}

}  // namespace hearth::app
