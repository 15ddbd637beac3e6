// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/config_entries.h"

#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/registry_items.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kEntriesFile = "core.config_entries";

}  // namespace

base::Result<std::vector<ConfigEntry>> read_config_entries(const Source& source, Report& report) {
  auto file = source.read_storage(kEntriesFile, report);
  if (!file) return std::unexpected(std::move(file.error()));
  std::vector<ConfigEntry> entries;
  if (!*file) return entries;
  const std::string& path = (*file)->file;
  for (const json::object* const each : items_of((*file)->data, "entries", "integration", path, report)) {
    ItemReader item(*each);
    ConfigEntry entry{
        .id = item.needed_text("entry_id"), .domain = item.needed_text("domain"), .title = {}, .values = {}};
    entry.title = item.text("title").value_or("");
    if (item.broken()) {
      report.add(broken_thing("integration", entry.id, item, path));
      continue;
    }
    entry.values = item.object("data");
    for (const auto& [key, value] : item.object("options")) entry.values[key] = value;
    for (const json::object* const part : items_of(*each, "subentries", "integration", path, report)) {
      ItemReader in(*part);
      entry.parts.push_back({in.text("subentry_id").value_or(""), in.text("subentry_type").value_or(""),
                             in.text("title").value_or(""), in.object("data")});
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace hearth::import_ha
