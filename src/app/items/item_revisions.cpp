// SPDX-License-Identifier: Apache-2.0
#include "app/items/item_revisions.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "app/files/configuration_file.h"
#include "app/files/revised_file.h"
#include "app/settings/blueprint_files.h"
#include "automation/config/parsing.h"
#include "automation/items/key_renames.h"
#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "yaml/edit/item_difference.h"
#include "yaml/item_lines.h"
#include "yaml/yaml_loader.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using automation::ItemKind;
using base::ConfigNode;
using base::ErrorCode;

constexpr std::size_t kMostFiles = 200;  // with former texts
constexpr int kMostFolders = 4;          // within each other

// When the former text was kept.
std::string time_of(const fs::path& kept, const json::object& note) {
  if (base::parse_timestamp(base::text_view_at(note, "at"))) return std::string(base::text_view_at(note, "at"));
  struct stat status{};
  if (::stat(kept.c_str(), &status) != 0) return base::to_string(base::Timestamp());
  return base::to_string(base::Timestamp(std::chrono::seconds(status.st_mtim.tv_sec)));
}

// The meaning of the item's lines by themselves, for comparisons: tags as they are written. Null if they have no such
// meaning, as those with another item's anchor.
json::value meaning_of(const std::string& lines, const std::string& domain) {
  const auto resolve = [](std::string_view tag, const std::string& text,
                          const ConfigNode::Place& place) -> std::optional<base::Result<ConfigNode>> {
    return ConfigNode(place, fmt::format("{} {}", tag, text));
  };
  const auto loaded =
      yaml::load_yaml(lines, "", {.resolve = resolve, .tolerates = [](std::string_view) { return true; }});
  if (!loaded) return {};
  const bool is_script = domain == "script";
  const ConfigNode* const item = is_script ? loaded->root.entries().empty() ? nullptr : &loaded->root.entries()[0].value
                                 : loaded->root.items().empty() ? nullptr
                                                                : &loaded->root.items()[0];
  if (!item) return {};
  json::value written = automation::written_as(*item);
  if (domain == "scene") return written;
  return automation::with_new_keys(is_script ? ItemKind::script : ItemKind::automation, std::move(written));
}

json::array changes_between(const std::string& before, const std::string& after, const std::string& domain) {
  json::array changes;
  for (const yaml::ItemDifference& each : yaml::differences(meaning_of(before, domain), meaning_of(after, domain)))
    changes.push_back(json::object{{"path", each.path}, {"kind", yaml::to_text(each.kind)}});
  return changes;
}

json::value shown_text(const std::optional<std::string>& lines) {
  return lines ? json::value(json::string(*lines)) : json::value();
}

// Of the item at the first of the places that has it.
std::optional<std::string> found_in(const std::string& text, const std::vector<yaml::ItemPlace>& places,
                                    const std::string& id) {
  for (const yaml::ItemPlace& place : places) {
    if (auto lines = yaml::item_lines(text, place, id)) return lines;
  }
  return {};
}

std::string name_of(const json::value& meaning, const std::string& id) {
  const auto* const item = meaning.if_object();
  for (const std::string_view key : {"alias", "name"}) {
    if (item && !base::text_view_at(*item, key).empty()) return std::string(base::text_view_at(*item, key));
  }
  return id;
}

void newest_first(json::array& rows) {
  std::ranges::sort(rows, std::ranges::greater(), [](const json::value& row) {
    const json::object& object = row.get_object();
    return std::pair(base::text_view_at(object, "at"), base::text_view_at(object, "revision"));
  });
}

}  // namespace

yaml::ItemForm ItemRevisions::form_of(const std::string& domain) {
  return domain == "script" ? yaml::ItemForm::map : yaml::ItemForm::list;
}

std::string ItemRevisions::default_file(const std::string& domain) {
  return domain + "s.yaml";
}

json::object ItemRevisions::note(const Item& item, const std::string& by, const std::string& key) {
  json::object note{
      {"at", base::to_string(base::SystemClock().now())}, {"domain", item.domain}, {"item_id", item.id}, {"key", key}};
  if (!by.empty()) note["user_id"] = json::string(by);
  return note;
}

std::vector<ItemRevisions::Source> ItemRevisions::sources_of(const std::string& domain) const {
  const yaml::ItemForm form = form_of(domain);
  std::vector<Source> sources{{default_file(domain), {{form}}}};
  const auto add_noted = [&](Source& source) {
    for (const fs::path& kept : revisions_in(home_, home_ / source.file)) {
      const json::object note = note_in(kept);
      if (base::text_view_at(note, "domain") != domain) continue;
      const auto place = yaml::item_place(form, std::string(base::text_view_at(note, "item_id")),
                                          std::string(base::text_view_at(note, "key")));
      if (place && std::ranges::find(source.places, *place) == source.places.end()) source.places.push_back(*place);
    }
  };
  add_noted(sources.front());
  const fs::path root = home_ / ".revisions";
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(root, error);
  for (const auto end = fs::recursive_directory_iterator(); !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    if (!entry->is_directory(gone)) continue;
    Source source{entry->path().lexically_relative(root).native(), {}};
    if (source.file == kBlueprintsFolder || entry.depth() >= kMostFolders) entry.disable_recursion_pending();
    const std::string extension = entry->path().extension();
    if ((extension != ".yaml" && extension != ".yml") || source.file == sources.front().file) continue;
    add_noted(source);
    if (!source.places.empty()) sources.push_back(std::move(source));
    if (sources.size() == kMostFiles) break;
  }
  return sources;
}

template <class Use>
void ItemRevisions::for_each_step(const std::string& file, Use&& use) const {
  std::string after = read_text_file(home_ / file).value_or("");
  for (const fs::path& kept : revisions_in(home_, home_ / file)) {
    auto before = read_text_file(kept);
    if (!before) continue;
    Step step{kept, fmt::format("{}/{}", file, kept.stem().native()), std::move(*before), std::move(after)};
    if (!use(step)) return;
    after = std::move(step.before);
  }
}

json::object ItemRevisions::list(const Item& item, const std::optional<Source>& now) const {
  std::vector<Source> sources = sources_of(item.domain);
  if (now) {
    // Its present place before those of others.
    auto same = std::ranges::find(sources, now->file, &Source::file);
    if (same == sources.end()) same = sources.insert(sources.end(), {now->file, {}});
    same->places.insert(same->places.begin(), now->places.begin(), now->places.end());
  }
  json::object answer{{"current", nullptr}};
  json::array rows;
  std::size_t bytes = 0;
  for (const auto& [file, places] : sources) {
    std::optional<std::string> after = found_in(read_text_file(home_ / file).value_or(""), places, item.id);
    if (now && file == now->file) answer["current"] = shown_text(after);
    for_each_step(file, [&](const Step& step) {
      std::optional<std::string> before = found_in(step.before, places, item.id);
      if (before == after) return true;
      bytes += before ? before->size() : 0;
      if (bytes > kMostBytes) return false;
      const json::object note = note_in(step.kept);
      const bool noted =
          base::text_view_at(note, "domain") == item.domain && base::text_view_at(note, "item_id") == item.id;
      const std::string_view by = noted ? base::text_view_at(note, "user_id") : std::string_view();
      rows.push_back(
          json::object{{"revision", step.revision},
                       {"at", time_of(step.kept, note)},
                       {"kind", !before  ? "added"
                                : !after ? "removed"
                                         : "changed"},
                       {"user_id", by.empty() ? json::value() : json::value(json::string(by))},
                       {"changes", before && after ? changes_between(*before, *after, item.domain) : json::array()},
                       {"before", shown_text(before)}});
      after = std::move(before);
      return true;
    });
  }
  newest_first(rows);
  answer["revisions"] = std::move(rows);
  return answer;
}

json::array ItemRevisions::deleted(const std::string& domain, const std::set<std::string>& there) const {
  const yaml::ItemForm form = form_of(domain);
  json::array rows;
  std::set<std::string> seen = there;
  for (const auto& [file, places] : sources_of(domain)) {
    std::set<std::string> known;  // lines of items whose ids have been seen
    for_each_step(file, [&](const Step& step) {
      const json::object note = note_in(step.kept);
      for (const yaml::ItemPlace& place : places) {
        for (std::string& lines : yaml::split_items(step.before, place)) {
          if (known.contains(lines)) continue;
          const auto id = yaml::id_in(lines, form);
          if (id && seen.insert(*id).second) {
            const bool noted =
                base::text_view_at(note, "domain") == domain && base::text_view_at(note, "item_id") == *id;
            const std::string_view by = noted ? base::text_view_at(note, "user_id") : std::string_view();
            rows.push_back(json::object{{"item_id", *id},
                                        {"name", name_of(meaning_of(lines, domain), *id)},
                                        {"revision", step.revision},
                                        {"at", time_of(step.kept, note)},
                                        {"user_id", by.empty() ? json::value() : json::value(json::string(by))}});
          }
          known.insert(std::move(lines));
        }
      }
      return true;
    });
  }
  newest_first(rows);
  return rows;
}

base::Result<ItemRevisions::Former> ItemRevisions::find(const Item& item, const std::string& revision) const {
  const std::size_t slash = revision.rfind('/');
  const std::string file = revision.substr(0, slash == std::string::npos ? 0 : slash);
  // The name is compared with those that are there, so it cannot lead elsewhere.
  std::error_code error;
  const std::vector<Source> sources = sources_of(item.domain);
  if (const auto source = std::ranges::find(sources, file, &Source::file); source != sources.end()) {
    for (const fs::path& kept : revisions_in(home_, home_ / file, error)) {
      if (kept.stem().native() != revision.substr(slash + 1)) continue;
      const auto text = read_text_file(kept);
      if (!text) return std::unexpected(text.error());
      for (const yaml::ItemPlace& place : source->places) {
        if (auto lines = yaml::item_lines(*text, place, item.id)) return Former{file, place, std::move(*lines)};
      }
      return base::fail(ErrorCode::not_found, fmt::format("There was no {} {} then.", item.domain, item.id));
    }
  }
  if (!error) static_cast<void>(fs::directory_iterator(home_ / ".revisions", error));
  if (error && error != std::errc::no_such_file_or_directory)
    return base::fail(ErrorCode::unavailable, fmt::format("Former texts cannot be read: {}", error.message()));
  return base::fail(ErrorCode::not_found, fmt::format("There is no revision {}.", revision));
}

}  // namespace hearth::app
