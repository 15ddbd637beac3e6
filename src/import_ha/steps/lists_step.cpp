// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/lists_step.h"

#include <fmt/format.h>

#include "base/text/timestamp.h"
#include "core/registry/collection_type.h"
#include "domains/lists/ics.h"
#include "domains/lists/todo_items.h"
#include "import_ha/steps/registry_items.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using domains::ics::Entries;

constexpr std::string_view kTodo = "local_todo", kCalendar = "local_calendar", kShopping = "shopping_list";
constexpr std::size_t kDayLength = 10;  // 2031-01-02
constexpr const char* kShoppingFile = ".shopping_list.json";

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

// [{"name": "Milk", "id": "…", "complete": false}]
Result<Entries> read_shopping_list(std::string_view text) {
  const auto parsed = base::parse_json(text);
  if (!parsed) return std::unexpected(parsed.error());
  if (!parsed->is_array()) return base::fail(base::ErrorCode::invalid, "it is no list");
  Entries entries;
  for (const json::value& each : parsed->get_array()) {
    const json::object* const item = each.if_object();
    const std::string id = item ? text_in(*item, "id") : std::string(),
                      name = item ? text_in(*item, "name") : std::string();
    if (id.empty() || name.empty()) {
      entries.losses.push_back("an item without a name or an id");
      continue;
    }
    const json::value* const complete = item->if_contains("complete");
    const bool done = complete && *complete == json::value(true);
    entries.entries.push_back({id, {{"summary", name}, {"status", done ? "completed" : "needs_action"}}});
  }
  return entries;
}

// The old hub writes the day after the one on which an item is due.
void use_day_before(json::object& fields) {
  const std::string due = text_in(fields, "due");
  if (due.size() != kDayLength) return;
  if (const auto day = base::parse_timestamp(due + "T00:00:00Z"))
    fields["due"] = base::to_string(*day - std::chrono::days(1)).substr(0, kDayLength);
}

}  // namespace

bool is_list(std::string_view domain) {
  return domain == kTodo || domain == kCalendar || domain == kShopping;
}

Result<void> take_list(const ConfigEntry& entry, const std::string& zone, const Source& source,
                       core::RegistryData& data, Report& report) {
  const bool calendar = entry.domain == kCalendar, shopping = entry.domain == kShopping;
  const std::string domain = calendar ? "calendar" : "todo", collection(calendar ? kCalendar : kTodo);
  const std::string file =
      shopping ? kShoppingFile : fmt::format(".storage/{}.{}.ics", entry.domain, text_in(entry.values, "storage_key"));
  const char* const name_key = calendar ? "calendar_name" : "todo_list_name";
  std::string name = text_in(entry.values, name_key);
  if (name.empty()) name = entry.title;
  Thing thing{.what = "helper", .id = entry.id, .name = name, .platform = entry.domain, .file = file};
  auto text = source.read_text(file);
  if (!text) return std::unexpected(std::move(text.error()));
  auto read = !*text     ? Result<Entries>(Entries())
              : calendar ? domains::ics::read_events(**text, zone)
              : shopping ? read_shopping_list(**text)
                         : domains::ics::read_todos(**text, zone);
  auto fields = core::find_collection_type(collection)->fields_of({{"name", name}});
  if (!read || !fields) {
    thing.fate = Fate::left;
    thing.why = Why::broken;
    thing.text = read ? fields.error().message : read.error().message;
    report.add(std::move(thing));
    return {};
  }
  // The shopping list is a list as any here.
  const core::RegisteredEntity* const found = data.find_entity(entry.domain, domain, entry.id);
  core::RegisteredEntity entity = found ? *found : core::RegisteredEntity();
  if (found && shopping) {
    entity.integration = kTodo;
    data.set(entity);
  }
  for (const std::string& loss : read->losses) {
    report.add({.what = "list_item",
                .id = fmt::format("{} {}", entry.id, loss),
                .fate = Fate::left,
                .why = Why::broken,
                .text = loss,
                .platform = entry.domain,
                .file = file});
  }
  place_item({.collection = collection, .id = entry.id, .fields = std::move(*fields)}, std::move(thing), data, report);
  if (!found) {
    if (!read->entries.empty())
      report.note(fmt::format("{}: its {} items are left, because its entity is not in the registry.", name,
                              read->entries.size()));
    return {};
  }
  const std::string items = core::collection_of(domain, entity.id);
  for (auto& each : read->entries) {
    if (!calendar && !shopping) use_day_before(each.fields);
    json::object own = calendar ? std::move(each.fields)
                                : domains::todo::last_of(domains::todo::in_order(data.items_of(items)), each.fields);
    core::Item item{.collection = items, .id = each.uid, .fields = std::move(own)};
    const auto place =
        data.find_item(items, each.uid) ? Result<int>(base::fail(base::ErrorCode::conflict, "")) : data.place_of(item);
    report.count("list_items", place ? Fate::carried : Fate::left);
    if (!place) continue;
    item.position = *place;
    data.set(std::move(item));
  }
  return {};
}

}  // namespace hearth::import_ha
