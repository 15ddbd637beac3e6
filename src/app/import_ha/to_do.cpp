// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/to_do.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.h"
#include "base/json/json_fields.h"
#include "core/registry/helper_types.h"
#include "import_ha/report/instead.h"
#include "import_ha/steps/helper_entries.h"

namespace hearth::app {
namespace {

using base::text_at;

constexpr std::size_t kIdLength = 16;
constexpr std::string_view kIsNotThere = " is not there";
constexpr std::string_view kLeftBehind = "left-behind/";
constexpr std::string_view kMadeByFiles[] = {"automation", "script", "homeassistant", "template",
                                             "group",      "tag",    "zone",          "person"};
constexpr std::string_view kBringBack =
    "bring what makes them into the configuration (see left-behind.yaml and left-behind/), or remove them in Settings, "
    "Entities";

const json::array& list_of(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value& value = base::value_at(object, key);
  return value.is_array() ? value.get_array() : kNone;
}

template <class Use>
void for_objects(const json::array& list, Use&& use) {
  for (const json::value& each : list)
    if (const json::object* const object = each.if_object()) use(*object);
}

// True if this hub has what makes such entities; then their files did not come.
bool is_of_files(std::string_view integration) {
  const auto has = [&](std::span<const core::CollectionType> types) {
    return std::ranges::find(types, integration, &core::CollectionType::name) != types.end();
  };
  return std::ranges::find(kMadeByFiles, integration) != std::end(kMadeByFiles) || import_ha::is_helper(integration) ||
         has(core::helper_types()) || has(core::file_helper_types());
}

struct Task {
  std::string what, name, attention, text, todo;
  std::string about;  // what makes it this one, with `what` and `attention`
};

json::object shown(const Task& task, const std::string& id) {
  return {{"id", id},          {"text", task.text}, {"do", task.todo}, {"attention", task.attention},
          {"what", task.what}, {"name", task.name}};
}

class List {
 public:
  List(const std::set<std::string, std::less<>>& done, const PresentHome& home) : done_(done), home_(home) {}

  json::array of(const json::object& report) {
    for_objects(list_of(report, "attentions"), [&](const json::object& each) { of_home(each); });
    for_objects(list_of(report, "items"), [&](const json::object& each) {
      if (each.contains("attention")) of_item(each);
    });
    for_objects(list_of(report, "automations"), [&](const json::object& each) { of_automation(each); });
    reserved(report);
    return std::move(list_);
  }

 private:
  void add(const Task& task) {
    const std::string id =
        base::sha256_hex(fmt::format("{}\n{}\n{}", task.what, task.attention, task.about)).substr(0, kIdLength);
    if (!done_.contains(id) && seen_.insert(id).second) list_.push_back(shown(task, id));
  }

  void of_home(const json::object& each) {
    Task task{.what = "home",
              .name = {},
              .attention = text_at(each, "attention"),
              .text = text_at(each, "text"),
              .todo = text_at(each, "do"),
              .about = text_at(each, "text")};
    // "configuration.yaml takes a value from the environment: NAME".
    const std::size_t colon = task.text.rfind(": ");
    if (task.attention == "env_var" && colon != std::string::npos && home_.has_environment(task.text.substr(colon + 2)))
      return;
    add(task);
  }

  void of_item(const json::object& each) {
    Task task{.what = text_at(each, "what"),
              .name = text_at(each, "name"),
              .attention = text_at(each, "attention"),
              .text = text_at(each, "text"),
              .todo = text_at(each, "do"),
              .about = text_at(each, "id")};
    if (task.name.empty()) task.name = task.about;
    if (!is_solved(task)) add(task);
  }

  bool is_solved(const Task& task) const {
    if (task.what == "user") return is_solved_user(task);
    if (task.what == "file") {
      if (task.attention == "duplicate") return !home_.has_file(std::string(kLeftBehind) + task.about);
      return task.attention == "out_of_range" && home_.has_file(task.about);
    }
    // "automations.yaml: 17".
    if (task.what == "collision")
      return !home_.has_file(std::string(kLeftBehind) + task.about.substr(0, task.about.find(": ")));
    if (task.attention == "tls") return home_.has_tls;
    if (task.what != "setting") return false;
    // Of a file, by its place: the error is gone if the file has none of these words any more.
    if (task.attention == "broken" && !task.about.starts_with("mqtt")) return !is_still_wrong(task);
    return home_.settings.contains(task.about) || home_.settings.contains("home." + task.about);
  }

  // The commands in what is to be done say what was missing: there may be several.
  bool is_solved_user(const Task& task) const {
    const auto user = home_.users.find(task.about);
    if (user == home_.users.end()) return true;  // somebody has removed it
    const bool password = task.todo.contains("hearth user passwd"), rights = task.todo.contains("hearth user rights"),
               active = task.todo.contains("hearth user activate");
    if (!password && !rights && !active) return false;
    return (!password || user->second.has_password) && (!rights || user->second.has_rights) &&
           (!active || user->second.is_active);
  }

  bool is_still_wrong(const Task& task) const {
    return std::ranges::any_of(list_of(home_.report, "items"), [&](const json::value& each) {
      return each.is_object() && text_at(each.get_object(), "what") == "setting" &&
             text_at(each.get_object(), "text") == task.text;
    });
  }

  void of_automation(const json::object& each) {
    const json::object* const now = automation_now(each);
    if (!now) return;  // somebody has removed it, or it has another id
    std::string errors;
    for_objects(list_of(each, "errors"), [&](const json::object& error) {
      const std::string text = text_at(error, "text");
      if (!has_error(*now, text) || is_there_by_now(text)) return;
      errors += (errors.empty() ? "" : "; ") + text;
    });
    if (errors.empty()) return;
    const std::string entity_id = text_at(each, "entity_id");
    add({.what = "automation",
         .name = entity_id,
         .attention = "errors",
         .text = errors,
         .todo = "Change what is wrong, or leave the automation off.",
         .about = entity_id});
  }

  const json::object* automation_now(const json::object& each) const {
    const std::string id = text_at(each, "id"), domain = domain_of(each);
    for (const json::value& other : list_of(home_.report, "automations")) {
      const json::object* const object = other.if_object();
      if (object && text_at(*object, "id") == id && domain_of(*object) == domain) return object;
    }
    return nullptr;
  }

  static std::string domain_of(const json::object& automation) {
    const std::string entity_id = text_at(automation, "entity_id");
    return entity_id.substr(0, entity_id.find('.'));
  }

  static bool has_error(const json::object& automation, std::string_view text) {
    return std::ranges::any_of(list_of(automation, "errors"), [&](const json::value& each) {
      return each.is_object() && base::text_view_at(each.get_object(), "text") == text;
    });
  }

  // Reads errors such as "rest_command.ring is not there", perhaps with a file behind it.
  bool is_there_by_now(std::string_view text) const {
    const std::size_t end = text.find(kIsNotThere);
    return end != std::string_view::npos && home_.is_there(text.substr(0, end));
  }

  // One for each integration.
  void reserved(const json::object& report) {
    std::set<std::string, std::less<>> integrations;
    for_objects(list_of(report, "items"), [&](const json::object& each) {
      if (text_at(each, "fate") == "reserved" && text_at(each, "what") == "entity")
        integrations.insert(text_at(each, "platform"));
    });
    std::map<std::string, std::size_t, std::less<>> waiting;
    for (const auto& [entity_id, entity] : home_.registry.entities) {
      if (core::is_reserved(entity) && integrations.contains(entity.integration)) ++waiting[entity.integration];
    }
    for (const auto& [integration, number] : waiting) {
      add({.what = "reserved",
           .name = integration,
           .attention = "reserved",
           .text = number == 1 ? fmt::format("1 entity of {} waits for what provides it.", integration)
                               : fmt::format("{} entities of {} wait for what provides them.", number, integration),
           .todo = std::string(
               is_of_files(integration) ? kBringBack : import_ha::sentence_of(import_ha::instead_of(integration).way)),
           .about = integration});
    }
  }

  const std::set<std::string, std::less<>>& done_;
  const PresentHome& home_;
  std::set<std::string> seen_;
  json::array list_;
};

}  // namespace

json::array to_do(const json::object& report, const std::set<std::string, std::less<>>& done, const PresentHome& home) {
  return List(done, home).of(report);
}

}  // namespace hearth::app
