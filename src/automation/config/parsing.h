// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of triggers, conditions and steps: forms that have two spellings, lists that may be a single
// item, entities, numbers that may be entities. An error is noted in the reader. Any thread.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "automation/config/condition.h"
#include "base/config/config_reader.h"
#include "base/config/config_secrets.h"

namespace hearth::automation {

using base::ConfigNode;
using base::ConfigReader;

// The node of the key in its new or its old spelling; both at once are an error. Null if both are absent.
const ConfigNode* find_either(ConfigReader& in, std::string_view key, std::string_view old_key);
// The items of a list, or a single one; none if the node is null or empty.
std::span<const ConfigNode> one_or_many(const ConfigNode* node);

// True for an included file that is empty; it counts as no item.
bool is_empty_file(const ConfigNode& node);

// Notes the error at the line of the node.
void note(ConfigReader& in, const ConfigNode& node, base::Error error);
void note(ConfigReader& in, const ConfigNode& node, std::string_view message);
void note_missing(ConfigReader& in, const ConfigNode& section, std::string_view key);

// The value, or a default one after noting the error.
template <class T>
T value_or_note(ConfigReader& in, const ConfigNode& node, base::Result<T> read) {
  if (read) return std::move(*read);
  note(in, node, std::move(read.error()));
  return {};
}

// Each item of a list, or the single one, that can be read.
template <class T, class Parse>
std::vector<T> read_each(ConfigReader& in, const ConfigNode* node, Parse parse) {
  std::vector<T> all;
  for (const ConfigNode& item : one_or_many(node)) {
    auto read = parse(item);
    if (read)
      all.push_back(std::move(*read));
    else
      note(in, item, std::move(read.error()));
  }
  return all;
}

// The node as JSON, as it is written: the text of a template, not its value. With `secrets`, these are masked, and
// added to them.
json::value written_as(const ConfigNode& node, std::vector<std::string>* secrets = nullptr);
using base::kMaskedSecret;

std::string read_text(ConfigReader& in, std::string_view key);
// True if the key is absent or null, and not even an empty list, which is there: it names nothing.
bool is_missing(const ConfigNode* node);
void require_some(ConfigReader& in, const ConfigNode& section, std::string_view key);
// Texts, each also as a comma-separated list; lower-cased and checked. An empty list is taken, nothing is an error.
std::vector<std::string> read_entity_ids(ConfigReader& in, const ConfigNode& section, std::string_view key);
// The same, of which there must be one.
std::vector<std::string> read_some_entity_ids(ConfigReader& in, const ConfigNode& section, std::string_view key);
// The same, of entities that may also be named by their ids in the registry, as pages of Home Assistant write them.
std::vector<std::string> read_entities(ConfigReader& in, const ConfigNode& section, std::string_view key);
// Notes each that is of no such domain.
void check_domains(ConfigReader& in, std::string_view key, std::span<const std::string> entity_ids,
                   std::initializer_list<std::string_view> domains);
// The target of a call: what it names, as far as it is no template.
void check_target(ConfigReader& in, const ConfigNode& node);
void check_target_entities(ConfigReader& in, const ConfigNode& node);
// The name of a variable; empty if the key is absent.
std::string read_name(ConfigReader& in, std::string_view key);
// A time of day, or an entity that tells one. Null after noting the error.
std::optional<std::variant<base::Duration, std::string>> read_time(ConfigReader& in, const ConfigNode& node);
std::optional<Data> read_data(ConfigReader& in, std::string_view key);
std::optional<DurationData> read_duration(ConfigReader& in, std::string_view key,
                                          DurationData::Sign sign = DurationData::Sign::positive);
// Whose templates see no home; `otherwise` if it is absent.
base::Duration limited_duration(ConfigReader& in, std::string_view key, base::Duration otherwise,
                                DurationData::Sign sign = DurationData::Sign::positive);
std::string limited_text(ConfigReader& in, const ConfigNode& node);
NamedData read_variables(ConfigReader& in, std::string_view key);
// The same, of limited templates; adds what they are to `values`. Sets `late` as with_limited_rendered().
NamedData read_limited_variables(ConfigReader& in, std::string_view key, templates::Variables& values, bool& late);
// True, false, or a template that is rendered now. One that asks for the registry, which is not known yet, is moved to
// `later` if that is not null.
bool read_enabled(ConfigReader& in, std::optional<Data>* later = nullptr);
constexpr std::string_view kBeyondLists = "the template asks for states, which are not known here";
// The value of a node whose templates are limited: they may ask for lists of the registry, but not for states.
struct LimitedValue {
  base::Result<json::value> value;
  bool asks_registry = false, goes_beyond = false;
};
LimitedValue limited_rendered(const ConfigNode& node, const Renderer& renderer,
                              const templates::VariablesView& variables);
// True if `this` is in the text.
bool names_this(const ConfigNode& node);
// The value of a node whose templates see no home and no variables.
base::Result<json::value> limited_value(const ConfigNode& node);
// States or attributes that are compared with. An unquoted yes or on is the state `on`, as people mean it.
std::optional<Values> read_values(ConfigReader& in, std::string_view key, bool of_state);
// A number, or an entity that tells one.
Limit read_limit(ConfigReader& in, const ConfigNode& node);
// `above` and `below`, of which one must be there.
void read_limits(ConfigReader& in, const ConfigNode& section, Limit& above, Limit& below);
Weekdays read_weekdays(ConfigReader& in);

// The section with the keys of its `options`, as newer files write them; null if it has none, or a key of both.
std::optional<ConfigNode> with_options(const ConfigNode& section);

// Names of one table: `unknown trigger stat, did you mean state? Known: …`.
std::string unknown_name(std::string_view what, std::string_view name, std::span<const std::string_view> known);

// `variables` are what limited templates see. Without a home in `renderer` sets `late`, if it is not null, as
// with_limited_rendered().
base::Result<std::vector<Trigger>> parse_triggers(const ConfigNode* node,
                                                  const templates::VariablesView& variables = {},
                                                  const Renderer& renderer = {}, bool* late = nullptr);
base::Result<Condition> parse_condition(const ConfigNode& node);
std::vector<Condition> read_conditions(ConfigReader& in, const ConfigNode* node);

}  // namespace hearth::automation
