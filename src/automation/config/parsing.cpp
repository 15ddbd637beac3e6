// SPDX-License-Identifier: Apache-2.0
#include "automation/config/parsing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "automation/config/yaml_booleans.h"
#include "base/text/nearest_word.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "core/values/entity_id.h"

namespace hearth::automation {
namespace {

// True if it may be an entity's id in the registry: 32 hexadecimal digits.
bool is_registry_id(std::string_view text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

enum class EntityForm { id, id_or_registry_id };

// `Light.Kitchen, light.hall` as ids. Fails with invalid.
base::Result<std::vector<std::string>> entity_ids_of(const ConfigNode& node, EntityForm form) {
  const auto text = node.text();
  if (!text) return std::unexpected(node.mismatch("an entity such as light.kitchen"));
  std::vector<std::string> ids;
  std::string_view rest = *text;
  for (;;) {
    const auto end = rest.find(',');
    const std::string_view part = base::trim_blanks(rest.substr(0, end));
    const std::string lower = core::lower_case(part);
    const auto id = core::EntityId::parse(lower);
    if (!id && (form == EntityForm::id || !is_registry_id(lower)))
      return std::unexpected(node.mismatch("an entity such as light.kitchen"));
    ids.push_back(lower);
    if (end == std::string_view::npos) return ids;
    rest.remove_prefix(end + 1);
  }
}

std::vector<std::string> read_entities_of(ConfigReader& in, const ConfigNode& section, std::string_view key,
                                          EntityForm form) {
  std::vector<std::string> ids;
  for (const ConfigNode& node : one_or_many(in.find(key))) {
    for (std::string& id : value_or_note(in, node, entity_ids_of(node, form))) {
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(std::move(id));
    }
  }
  if (is_missing(in.find(key))) note_missing(in, section, key);
  return ids;
}

bool is_template(const ConfigNode& node) {
  const auto data = node.is_text() ? Data::parse(node) : Data();
  return data && !data->is_constant();
}

// Whose entities tell a time.
constexpr std::string_view kTimeDomains[] = {"input_datetime", "sensor", "time"};

}  // namespace

const ConfigNode* find_either(ConfigReader& in, std::string_view key, std::string_view old_key) {
  const ConfigNode *const found = in.find(key), *const old = in.find(old_key);
  if (found && old) note(in, *old, fmt::format("is the old name of {}; keep one of the two", key));
  return found ? found : old;
}

std::span<const ConfigNode> one_or_many(const ConfigNode* node) {
  if (!node || node->is_empty()) return {};
  if (node->is_list()) return node->items();
  return {node, 1};
}

bool is_missing(const ConfigNode* node) {
  return !node || node->is_empty();
}

void require_some(ConfigReader& in, const ConfigNode& section, std::string_view key) {
  if (one_or_many(in.find(key)).empty()) note_missing(in, section, key);
}

bool is_empty_file(const ConfigNode& node) {
  return node.is_empty() && node.place().key.empty();
}

void note(ConfigReader& in, const ConfigNode& node, base::Error error) {
  in.report(node.place().line, std::move(error));
}

void note(ConfigReader& in, const ConfigNode& node, std::string_view message) {
  note(in, node, node.error(message));
}

void note_missing(ConfigReader& in, const ConfigNode& section, std::string_view key) {
  if (!section.is_map() && !section.is_empty()) return;  // the reader has said that it has no keys
  note(in, section, fmt::format("{} is missing", key));
}

json::value written_as(const ConfigNode& node, std::vector<std::string>* secrets) {
  json::value out;
  if (node.is_list()) {
    json::array& list = out.emplace_array();
    for (const ConfigNode& item : node.items()) list.push_back(written_as(item, secrets));
  } else if (node.is_map()) {
    json::object& map = out.emplace_object();
    for (const ConfigNode::Entry& entry : node.entries()) map[entry.key] = written_as(entry.value, secrets);
  } else if (node.is_text()) {
    const std::string text = node.text().value();
    if (secrets && node.writing().secret) {
      secrets->push_back(text);
      return json::string(kMaskedSecret);
    }
    out = node.writing().plain ? plain_value(text) : json::value(json::string(text));
  }
  return out;
}

std::string read_text(ConfigReader& in, std::string_view key) {
  std::string text;
  const ConfigNode* const node = in.find(key);
  if (node && !node->is_empty()) in.text(key, text);
  return text;
}

std::vector<std::string> read_entity_ids(ConfigReader& in, const ConfigNode& section, std::string_view key) {
  return read_entities_of(in, section, key, EntityForm::id);
}

std::vector<std::string> read_some_entity_ids(ConfigReader& in, const ConfigNode& section, std::string_view key) {
  require_some(in, section, key);
  return is_missing(in.find(key)) ? std::vector<std::string>() : read_entity_ids(in, section, key);
}

std::vector<std::string> read_entities(ConfigReader& in, const ConfigNode& section, std::string_view key) {
  return read_entities_of(in, section, key, EntityForm::id_or_registry_id);
}

void check_domains(ConfigReader& in, std::string_view key, std::span<const std::string> entity_ids,
                   std::initializer_list<std::string_view> domains) {
  for (const std::string& id : entity_ids) {
    const std::string_view domain = std::string_view(id).substr(0, id.find('.'));
    if (std::ranges::find(domains, domain) == domains.end())
      note(in, *in.find(key), fmt::format("expected an entity of {}, found {}", fmt::join(domains, ", "), id));
  }
}

void check_target_entities(ConfigReader& in, const ConfigNode& node) {
  for (const ConfigNode& item : one_or_many(&node)) {
    const auto text = item.text();
    if (is_template(item) || (text && (*text == "all" || *text == "none"))) continue;
    if (auto ids = entity_ids_of(item, EntityForm::id_or_registry_id); !ids) note(in, item, std::move(ids.error()));
  }
}

void check_target(ConfigReader& in, const ConfigNode& node) {
  if (!node.is_map()) {
    if (!node.is_empty() && !is_template(node))
      note(in, node, node.mismatch("entity_id, device_id, area_id, floor_id or label_id"));
    return;
  }
  ConfigReader each(node);
  for (const char* const key : {"device_id", "area_id", "floor_id", "label_id"}) each.find(key);
  if (const ConfigNode* const entities = each.find("entity_id")) check_target_entities(each, *entities);
  if (auto read = each.finish(0); !read) note(in, node, std::move(read.error()));
}

std::string read_name(ConfigReader& in, std::string_view key) {
  const ConfigNode* const node = in.find(key);
  if (!node || node->is_empty()) return {};
  const auto text = node->text();
  const bool is_name = text && !text->empty() && (!node->writing().plain || plain_value(*text).is_string());
  if (is_name) return *text;
  note(in, *node, node->mismatch("the name of a variable"));
  return {};
}

std::optional<std::variant<base::Duration, std::string>> read_time(ConfigReader& in, const ConfigNode& node) {
  const auto text = node.text();
  const auto time = text ? parse_time_of_day(base::trim_blanks(*text)) : std::nullopt;
  if (time) return *time;
  const auto id = text ? core::EntityId::parse(core::lower_case(*text)) : base::fail(base::ErrorCode::invalid, "");
  if (id && std::ranges::find(kTimeDomains, id->domain()) != std::end(kTimeDomains)) return std::string(id->str());
  note(in, node,
       node.mismatch("a time such as 07:30 or 07:30:00, or an entity that tells one, such as input_datetime.alarm"));
  return {};
}

std::optional<Data> read_data(ConfigReader& in, std::string_view key) {
  const ConfigNode* const node = in.find(key);
  if (!node) return {};
  return value_or_note(in, *node, Data::parse(*node));
}

std::optional<DurationData> read_duration(ConfigReader& in, std::string_view key, DurationData::Sign sign) {
  const ConfigNode* const node = in.find(key);
  if (!node) return {};
  auto read = DurationData::parse(*node, sign);
  if (read) return std::move(*read);
  note(in, *node, std::move(read.error()));
  return {};
}

base::Duration limited_duration(ConfigReader& in, std::string_view key, base::Duration otherwise,
                                DurationData::Sign sign) {
  const auto duration = read_duration(in, key, sign);
  return duration ? value_or_note(in, *in.find(key), duration->evaluate(Renderer(), {})) : otherwise;
}

std::string limited_text(ConfigReader& in, const ConfigNode& node) {
  const json::value value = value_or_note(in, node, limited_value(node));
  return value.is_string() ? std::string(value.get_string()) : value.is_null() ? std::string() : base::to_json(value);
}

NamedData read_variables(ConfigReader& in, std::string_view key) {
  NamedData variables;
  const ConfigNode* const node = in.find(key);
  if (!node || node->is_empty()) return variables;
  if (!node->is_map()) note(in, *node, node->mismatch("names with values"));
  for (const ConfigNode::Entry& entry : node->entries())
    variables.emplace_back(entry.key, value_or_note(in, entry.value, Data::parse(entry.value)));
  return variables;
}

NamedData read_limited_variables(ConfigReader& in, std::string_view key, templates::Variables& values, bool& late) {
  NamedData read = read_variables(in, key);
  for (const auto& [name, data] : read) {
    const ConfigNode& node = *in.find(key)->find(name);
    const bool is_template = !data.is_constant() && !node.broken();
    templates::Dependencies seen;
    auto value = data.render(Renderer(), values, &seen);
    if (seen.beyond_lists) note(in, node, kBeyondLists);
    late = late || seen.registry || (is_template && names_this(node));
    // In front: a later one sees it, and it hides what else has the name.
    values.insert(values.begin(), {name, value ? std::move(*value) : templates::Value()});
  }
  return read;
}

bool read_enabled(ConfigReader& in, std::optional<Data>* later) {
  const ConfigNode* const node = in.find("enabled");
  if (!node) return true;
  const auto rendered = limited_rendered(*node, Renderer(), {});
  if (later && rendered.asks_registry && !rendered.goes_beyond) {
    if (auto data = Data::parse(*node)) *later = std::move(*data);
    return true;
  }
  if (!rendered.value) {
    note(in, *node, rendered.value.error());
    return true;
  }
  if (const bool* const enabled = rendered.value->if_bool()) return *enabled;
  if (const auto enabled = node->boolean()) return *enabled;
  note(in, *node, node->mismatch("true, false, or a template of one that needs no states"));
  return true;
}

LimitedValue limited_rendered(const ConfigNode& node, const Renderer& renderer,
                              const templates::VariablesView& variables) {
  const auto data = Data::parse(node);
  if (!data) return {std::unexpected(data.error())};
  if (data->is_constant()) return {data->constant()};
  templates::Dependencies seen;
  const auto value = data->render(renderer, variables, &seen);
  LimitedValue made{{}, seen.registry, seen.beyond_lists};
  if (made.goes_beyond) {
    made.value = std::unexpected(node.error(kBeyondLists));
  } else if (value) {
    made.value = json_of(*value);
  } else {
    std::string_view message = value.error().message;  // it names the key, as the node does
    if (message.starts_with(node.place().key + ": ")) message.remove_prefix(node.place().key.size() + 2);
    made.value = std::unexpected(node.error(message));
  }
  return made;
}

bool names_this(const ConfigNode& node) {
  const auto of_item = [](const ConfigNode& item) { return names_this(item); };
  const auto of_entry = [](const ConfigNode::Entry& entry) { return names_this(entry.value); };
  if (!node.is_text())
    return std::ranges::any_of(node.items(), of_item) || std::ranges::any_of(node.entries(), of_entry);
  constexpr std::string_view kThis = "this";
  const std::string text = node.text().value();
  const auto is_of_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (auto at = text.find(kThis); at != std::string::npos; at = text.find(kThis, at + 1)) {
    if (!is_of_word(at - 1) && !is_of_word(at + kThis.size())) return true;
  }
  return false;
}

base::Result<json::value> limited_value(const ConfigNode& node) {
  auto rendered = limited_rendered(node, Renderer(), {});
  if (rendered.asks_registry) return std::unexpected(node.error(kBeyondLists));
  return std::move(rendered.value);
}

std::optional<Values> read_values(ConfigReader& in, std::string_view key, bool of_state) {
  const ConfigNode* const node = in.find(key);
  if (!node) return {};
  Values values;
  if (node->is_empty()) {
    values.any = true;
    return values;
  }
  for (const ConfigNode& item : one_or_many(node)) {
    const auto text = item.text();
    if (!of_state) {
      values.values.push_back(value_or_note(in, item, limited_value(item)));
    } else if (!text) {
      note(in, item, item.mismatch("a state as a text"));
    } else {
      values.values.push_back(json::string(unquoted_state(item).value_or(*text)));
    }
  }
  return values;
}

Limit read_limit(ConfigReader& in, const ConfigNode& node) {
  const auto text = node.text();
  if (text) {
    if (const auto number = base::parse_number(*text)) return *number;
    if (const auto id = core::EntityId::parse(core::lower_case(*text))) return std::string(id->str());
  }
  note(in, node, node.mismatch("a number or an entity such as input_number.limit"));
  return {};
}

void read_limits(ConfigReader& in, const ConfigNode& section, Limit& above, Limit& below) {
  const ConfigNode *const high = in.find("above"), *const low = in.find("below");
  if (high) above = read_limit(in, *high);
  if (low) below = read_limit(in, *low);
  if (!high && !low) note(in, section, "above or below is missing");
  const double *const over = std::get_if<double>(&above), *const under = std::get_if<double>(&below);
  if (over && under && *over >= *under)
    note(in, *high, fmt::format("no number is above {} and below {}", *over, *under));
}

Weekdays read_weekdays(ConfigReader& in) {
  const ConfigNode* const node = in.find("weekday");
  if (!node) return Weekdays::all();
  Weekdays days = Weekdays::none();
  for (const ConfigNode& item : one_or_many(node)) {
    const auto text = item.text();
    const auto day = text ? parse_weekday(*text) : std::nullopt;
    if (day)
      days.add(*day);
    else
      note(in, item, item.mismatch("one of mon, tue, wed, thu, fri, sat, sun"));
  }
  return days;
}

std::optional<ConfigNode> with_options(const ConfigNode& section) {
  const ConfigNode* const options = section.find("options");
  if (!options || !options->is_map()) return {};
  ConfigNode::Map keys;
  for (const ConfigNode::Entry& entry : section.entries())
    if (entry.key != "options") keys.push_back(entry);
  for (const ConfigNode::Entry& entry : options->entries()) {
    if (section.find(entry.key)) return {};
    keys.push_back(entry);
  }
  return ConfigNode(section.place(), std::move(keys));
}

std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string_view> known) {
  const auto nearest = base::nearest_word(name, known);
  return fmt::format("unknown {} {}{} Known: {}", what, name,
                     nearest ? fmt::format(", did you mean {}?", *nearest) : std::string("."), fmt::join(known, ", "));
}

}  // namespace hearth::automation
