// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/value_helper.h"

#include <algorithm>

#include "base/log/log.h"
#include "base/text/pattern.h"
#include "base/text/utf8.h"
#include "domains/entities/kinds.h"
#include "domains/entities/local_time.h"
#include "domains/kinds/input_datetime.h"

namespace hearth::domains {
namespace {

constexpr std::string_view kSomeDay = "1970-01-01 00:00:00";
constexpr std::string_view kOptions = "options";
// Of the options in the registry's entry: those that were set, and those of the file that they stand for.
constexpr std::string_view kSet = "options", kInstead = "instead_of";

struct Parts {
  bool date, time;
};

Parts parts_of(const json::object& fields) {
  return {fields.at("has_date").get_bool(), fields.at("has_time").get_bool()};
}

// The item's fields that its entity shows; null for those that it does not have.
json::object attributes_of(const Kind& kind, const json::object& fields, bool editable) {
  json::object attributes;
  for (const Attribute& each : kind.attributes) {
    const json::value* const value = fields.if_contains(each.name);
    attributes[each.name] = each.name == "editable" ? json::value(editable) : value ? *value : json::value();
  }
  return attributes;
}

// With what follows from the value.
Report report_of(const Kind& kind, const json::object& fields, const json::value& value, const core::Hub& hub,
                 bool editable) {
  Report report{.value = value, .attributes = attributes_of(kind, fields, editable)};
  if (&kind != &kInputDateTime || !value.is_string()) return report;
  const auto [date, time] = parts_of(fields);
  const std::string whole = input_datetime::whole_of(value.get_string(), date, time, kSomeDay);
  if (whole.empty()) return report;
  report.value = input_datetime::text_of(whole, date, time);
  for (const auto& [key, part] : input_datetime::parts_of(whole, date, time, hub.config.load()->time_zone))
    report.attributes[key] = part;
  return report;
}

// The nearest value that a helper with these fields can have; nothing if there is none.
std::optional<json::value> fitting(const Kind& kind, const json::object& fields, const json::value& wanted) {
  const auto end = [&](std::string_view key, double otherwise) {
    const json::value* const value = fields.if_contains(key);
    return value && value->is_number() ? value->to_number<double>() : otherwise;
  };
  const auto value = field::convert(kind.value, wanted);
  if (!value || value->is_null()) return {};
  if (&kind == &kInputNumber)
    return std::clamp(value->to_number<double>(), end("min", -field::kEndless), end("max", field::kEndless));
  if (&kind == &kCounter) {
    // Whole numbers of at most 10^12, which a double has exactly.
    const double number = std::clamp(value->to_number<double>(), end("minimum", -1e12), end("maximum", 1e12));
    return static_cast<std::int64_t>(number);
  }
  if (&kind == &kInputSelect) {
    const json::array& options = fields.at("options").get_array();
    return std::ranges::find(options, *value) == options.end() ? std::nullopt : value;
  }
  if (&kind == &kInputDateTime) {
    const auto [date, time] = parts_of(fields);
    const std::string whole = input_datetime::whole_of(value->get_string(), date, time, kSomeDay);
    if (whole.empty()) return {};
    return json::value(input_datetime::text_of(whole, date, time));
  }
  if (&kind == &kInputText) {
    const auto length = base::utf8_length(value->get_string());
    if (!length || static_cast<double>(*length) < end("min", 0) || static_cast<double>(*length) > end("max", 255))
      return {};
    const json::value* const text = fields.if_contains("pattern");
    const auto pattern = base::Pattern::parse(text ? text->get_string() : ".*");
    if (pattern && !pattern->matches(value->get_string())) return {};
  }
  return value;
}

// Its value if neither `initial` nor a former state gives one.
json::value otherwise(const Kind& kind, const json::object& fields, const core::Hub& hub) {
  if (&kind == &kInputBoolean) return "off";
  if (&kind == &kInputNumber) return fields.at("min");
  if (&kind == &kInputSelect) return fields.at("options").get_array().front();
  if (&kind == &kInputDateTime) {
    const std::string today = local_time_text(hub.clock.now(), hub.config.load()->time_zone).substr(0, 10);
    const auto [date, time] = parts_of(fields);
    return json::value(input_datetime::text_of(today + " 00:00:00", date, time));
  }
  return nullptr;
}

json::value value_of(const Kind& kind, const json::object& fields, std::string_view former, bool at_start,
                     const core::Hub& hub) {
  const json::value* const initial = fields.if_contains("initial");
  const json::value* const restore = fields.if_contains("restore");  // of a counter, which always has an `initial`
  const bool begins = initial && at_start && (!restore || !restore->get_bool());
  const bool known = former != core::kUnknown && former != core::kUnavailable && !former.empty();
  const json::value before = known ? json::value(former) : json::value();
  for (const json::value* const wanted : {begins ? initial : nullptr, &before, initial}) {
    if (!wanted || wanted->is_null()) continue;
    // An input_boolean's `initial` is a truth, its state a word.
    const json::value word = wanted->is_bool() ? json::value(wanted->get_bool() ? "on" : "off") : *wanted;
    if (auto fits = fitting(kind, fields, word)) return *std::move(fits);
  }
  return otherwise(kind, fields, hub);
}

json::object with_options(json::object fields, const json::array& options) {
  fields[kOptions] = options;
  const json::value* const initial = fields.if_contains("initial");
  if (initial && std::ranges::find(options, *initial) == options.end()) fields.erase("initial");
  return fields;
}

}  // namespace

Report ValueHelper::first(const Kind& kind, const core::State* last) {
  const std::string_view former = last ? last->value() : core::kUnknown;
  const json::object fields = present_fields();
  return report_of(kind, fields, value_of(kind, fields, former, true, hub_), hub_, editable_);
}

void ValueHelper::act(const Action& action, const json::object& data) {
  if (action.service == "set_options") return set_options(data.at("options").get_array());
  const json::value* const datetime = data.if_contains("datetime");
  thing_->report(datetime ? report_of(thing_->kind(), item_.fields, *datetime, hub_, editable_)
                          : outcome(thing_->kind(), action, data));
}

void ValueHelper::show() {
  const Kind& kind = thing_->kind();
  const json::object fields = present_fields();
  thing_->report(report_of(kind, fields, value_of(kind, fields, thing_->reported(), false, hub_), hub_, editable_));
}

void ValueHelper::set_options(const json::array& options) {
  const core::Context context = thing_->command_context();
  base::Result<void> kept;
  if (editable_) {
    const auto changed = hub_.registry.update_item(item_.collection, item_.id, with_options(item_.fields, options), {},
                                                   context, core::IfFull::pass);
    if (changed)
      item_ = *changed;
    else
      kept = std::unexpected(changed.error());
  } else {
    kept = keep_options(json::object{{kSet, options}, {kInstead, item_.fields.at(kOptions)}}, context);
  }
  if (!kept)
    base::log_warning("domains", "the new options of {} cannot be stored: {}", thing_->entity_id(),
                      kept.error().message);
  show();
}

// The file that says what a helper is does not change: its entry in the registry has the options that were set.
base::Result<void> ValueHelper::keep_options(std::optional<json::object> options, const core::Context& context) {
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const entry = registry->find_entity(item_.collection, item_.collection, item_.id);
  if (!entry) return base::fail(base::ErrorCode::not_found, "it is not in the registry");
  core::EntityEdit edit;
  edit.options = {item_.collection, std::move(options)};
  auto done = hub_.registry.update_entity(entry->entity_id, std::move(edit), context);
  if (!done) return std::unexpected(done.error());
  return {};
}

json::object ValueHelper::present_fields() {
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const entry =
      editable_ ? nullptr : registry->find_entity(item_.collection, item_.collection, item_.id);
  const json::value* const kept = entry ? entry->options.if_contains(item_.collection) : nullptr;
  const json::object* const own = kept ? kept->if_object() : nullptr;
  const json::value* const set = own ? own->if_contains(kSet) : nullptr;
  const json::value* const instead = own ? own->if_contains(kInstead) : nullptr;
  if (!set || !instead || !set->is_array() || set->get_array().empty()) return item_.fields;
  if (*instead == item_.fields.at(kOptions)) return with_options(item_.fields, set->get_array());
  static_cast<void>(keep_options({}, core::Context::create(hub_.clock.now())));
  return item_.fields;
}

}  // namespace hearth::domains
