// SPDX-License-Identifier: Apache-2.0
#include "automation/config/purpose_parser.h"

#include <fmt/format.h>

#include "base/text/nearest_word.h"
#include "base/text/text.h"

namespace hearth::automation {
namespace purpose_forms {
namespace {

using Test = Purpose::Test;

core::ServiceTarget read_target(ConfigReader& in, const ConfigNode& node) {
  json::object keys;
  for (const ConfigNode::Entry& entry : node.entries()) {
    if (core::ServiceTarget::is_key(entry.key) && entry.key != "target") keys[entry.key] = written_as(entry.value);
  }
  auto target = core::ServiceTarget::parse(json::object{{"target", std::move(keys)}});
  if (!target) {
    note(in, node, node.error(target.error().message));
    return {};
  }
  if (target->all) note(in, node, "entity_id: all is not known here; name entities, devices, areas, floors or labels");
  return std::move(*target);
}

void parse_target(ConfigReader& in, const ConfigNode& node, PurposeUse& use) {
  const ConfigNode* const target = in.find("target");
  if (is_missing(target)) return note_missing(in, node, "target");
  if (!target->is_map())
    return note(in, *target, target->mismatch("entity_id, device_id, area_id, floor_id or label_id"));
  ConfigReader each(*target);
  for (const char* const key : {"device_id", "area_id", "floor_id", "label_id"}) each.find(key);
  if (const ConfigNode* const entities = each.find("entity_id")) check_target_entities(each, *entities);
  if (const ConfigNode* const exclude = each.find("exclude"); exclude && !exclude->is_empty()) {
    check_target(each, *exclude);
    use.exclude = read_target(each, *exclude);
  }
  use.target = read_target(each, *target);
  if (target->entries().empty())
    note(each, *target, target->mismatch("entity_id, device_id, area_id, floor_id or label_id"));
  if (auto read = each.finish(0); !read) note(in, *target, std::move(read.error()));
}

Threshold::Edge read_edge(ConfigReader& in, const ConfigNode& node) {
  Threshold::Edge edge;
  if (!node.is_map()) {
    note(in, node, node.mismatch("number, or entity"));
    return edge;
  }
  ConfigReader each(node);
  const ConfigNode *const number = each.find("number"), *const entity = each.find("entity");
  std::string choice;
  if (each.find("active_choice")) each.option("active_choice", choice, {{"number", "number"}, {"entity", "entity"}});
  const ConfigNode* const chosen = choice == "number" ? number : choice == "entity" ? entity : number ? number : entity;
  if (number && entity && choice.empty()) note(each, node, "has number and entity; keep one of the two");
  if (!chosen)
    note_missing(each, node, choice.empty() ? "number or entity" : choice);
  else
    edge.limit = read_limit(each, *chosen);
  edge.unit = read_text(each, "unit_of_measurement");
  if (auto read = each.finish(0); !read) note(in, node, std::move(read.error()));
  return edge;
}

void check_edges(ConfigReader& in, const ConfigNode& node, const Threshold& threshold) {
  const auto *const low = std::get_if<double>(&threshold.low.limit), *const high =
                                                                         std::get_if<double>(&threshold.high.limit);
  if (low && high && threshold.low.unit == threshold.high.unit && *low > *high)
    note(in, node, fmt::format("the lower limit {} is above the upper one, {}", *low, *high));
}

const std::initializer_list<std::pair<std::string_view, Threshold::Kind>> kThresholdKinds = {
    {"above", Threshold::Kind::above},
    {"below", Threshold::Kind::below},
    {"between", Threshold::Kind::between},
    {"outside", Threshold::Kind::outside}};

// `threshold` as it is written since 2026.3.
Threshold read_threshold(ConfigReader& in, const ConfigNode& node, bool may_be_any) {
  using Kind = Threshold::Kind;
  Threshold threshold;
  if (!node.is_map()) {
    note(in, node, node.mismatch("type, and the value"));
    return threshold;
  }
  ConfigReader each(node);
  if (!each.find("type")) note_missing(each, node, "type");
  if (may_be_any)
    each.option("type", threshold.kind,
                {{"any", Kind::any},
                 {"above", Kind::above},
                 {"below", Kind::below},
                 {"between", Kind::between},
                 {"outside", Kind::outside}});
  else
    each.option("type", threshold.kind, kThresholdKinds);
  const auto edge = [&](std::string_view key, bool is_needed, Threshold::Edge& read) {
    const ConfigNode* const value = each.find(key);
    if (is_needed && is_missing(value)) return note_missing(each, node, key);
    if (is_needed) read = read_edge(each, *value);
  };
  const bool is_range = threshold.kind == Kind::between || threshold.kind == Kind::outside;
  edge("value", threshold.kind == Kind::above, threshold.low);
  edge("value", threshold.kind == Kind::below, threshold.high);
  edge("value_min", is_range, threshold.low);
  edge("value_max", is_range, threshold.high);
  check_edges(each, node, threshold);
  if (auto read = each.finish(0); !read) note(in, node, std::move(read.error()));
  return threshold;
}

// As before: `above` and `below`; of a crossing `threshold_type`, `lower_limit` and `upper_limit`.
Threshold read_limits_of(ConfigReader& in, const ConfigNode& node, bool is_crossing) {
  using Kind = Threshold::Kind;
  Threshold threshold;
  const ConfigNode *const low = in.find(is_crossing ? "lower_limit" : "above"), *const high =
                                                                                    in.find(is_crossing ? "upper_limit"
                                                                                                        : "below");
  if (low) threshold.low.limit = read_limit(in, *low);
  if (high) threshold.high.limit = read_limit(in, *high);
  if (!is_crossing) {
    threshold.kind = low && high ? Kind::between : low ? Kind::above : high ? Kind::below : Kind::any;
  } else if (!in.find("threshold_type")) {
    note_missing(in, node, "threshold");
  } else {
    in.option("threshold_type", threshold.kind, kThresholdKinds);
    if (!low && threshold.kind != Kind::below) note_missing(in, node, "lower_limit");
    if (!high && threshold.kind != Kind::above) note_missing(in, node, "upper_limit");
  }
  check_edges(in, node, threshold);
  return threshold;
}

std::vector<std::string> read_option(ConfigReader& in, const ConfigNode& node, const std::string& key) {
  std::vector<std::string> values;
  const ConfigNode* const option = in.find(key);
  for (const ConfigNode& item : one_or_many(option)) values.push_back(value_or_note(in, item, item.text()));
  if (values.empty()) note_missing(in, node, key);
  return values;
}

// `in` reads the options.
void parse_options(ConfigReader& in, const ConfigNode& node, bool is_trigger, PurposeUse& use) {
  const Purpose& purpose = *use.purpose;
  use.values = purpose.option.empty() ? purpose.values : read_option(in, node, purpose.option);
  if (purpose.test == Test::number) {
    const bool may_be_any = is_trigger && purpose.change == Purpose::Change::value;
    const ConfigNode* const threshold = in.find("threshold");
    use.threshold = threshold    ? read_threshold(in, *threshold, may_be_any)
                    : is_trigger ? read_limits_of(in, node, !may_be_any)
                                 : (note_missing(in, node, "threshold"), Threshold());
  }
  const bool of_zone = purpose.test == Test::occupied || purpose.test == Test::deserted;
  if (!of_zone && purpose.test != Test::in_zone && purpose.test != Test::out_of_zone) return;
  const auto zones = read_some_entity_ids(in, node, "zone");
  if (zones.empty()) return;
  check_domains(in, "zone", zones, {"zone"});
  if (zones.size() > 1) note(in, *in.find("zone"), "expected one zone");
  use.zone = zones.front();
  if (!of_zone) return;
  use.target.entity_ids = {use.zone};
  use.target.given = true;
}

// Reads both keys; `more` reads what is not the use itself.
template <class More>
PurposeUse parse_use(ConfigReader& in, const ConfigNode& node, const Purpose& purpose, bool is_trigger, More more) {
  PurposeUse use;
  use.purpose = &purpose;
  const bool has_target = purpose.target.empty() && purpose.test != Test::occupied && purpose.test != Test::deserted;
  if (has_target) parse_target(in, node, use);
  const ConfigNode* const options = in.find("options");
  static const ConfigNode kNone;
  if (options && !options->is_map() && !options->is_empty()) {
    note(in, *options, options->mismatch("keys with values"));
    return use;
  }
  const ConfigNode& read = options && options->is_map() ? *options : kNone;
  ConfigReader each(read);
  const ConfigNode& section = options ? *options : node;
  parse_options(each, section, is_trigger, use);
  more(each);
  if (auto done = each.finish(0); !done) note(in, section, std::move(done.error()));
  return use;
}

}  // namespace
}  // namespace purpose_forms

void parse_purpose(ConfigReader& in, const ConfigNode& node, const Purpose& purpose, Trigger& trigger) {
  using Behavior = PurposeTrigger::Behavior;
  PurposeTrigger made;
  made.use = purpose_forms::parse_use(in, node, purpose, true, [&](ConfigReader& options) {
    if (!purpose.has_behavior) return;
    // `any` and `last` are the names before 2026.7.
    options.option("behavior", made.behavior,
                   {{"each", Behavior::each},
                    {"any", Behavior::each},
                    {"first", Behavior::first},
                    {"all", Behavior::all},
                    {"last", Behavior::all}});
    made.held = read_duration(options, "for");
  });
  trigger.kind = std::move(made);
}

void parse_purpose(ConfigReader& in, const ConfigNode& node, const Purpose& purpose, Condition& condition) {
  PurposeCondition made;
  made.use = purpose_forms::parse_use(in, node, purpose, false, [&](ConfigReader& options) {
    options.option("behavior", made.all, {{"any", false}, {"all", true}});
    made.held = read_duration(options, "for");
  });
  condition.kind = std::move(made);
}

std::string unknown_kind(std::string_view what, std::string_view name, std::span<const std::string_view> kinds,
                         std::span<const std::string_view> purposes) {
  const std::string_view domain = name.substr(0, name.find('.'));
  if (domain.size() == name.size()) return unknown_name(what, name, kinds);
  std::vector<std::string_view> related;
  for (const std::string_view each : purposes)
    if (each.starts_with(domain) && each.substr(domain.size()).starts_with('.')) related.push_back(each);
  const auto nearest = base::nearest_word(name, purposes);
  const std::string meant = nearest ? fmt::format(", did you mean {}?", *nearest) : std::string(".");
  if (related.empty()) return fmt::format("unknown {} {}{} There is none of {}.", what, name, meant, domain);
  return fmt::format("unknown {} {}{} Known: {}", what, name, meant, fmt::join(related, ", "));
}

}  // namespace hearth::automation
