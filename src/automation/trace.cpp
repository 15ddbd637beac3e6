// SPDX-License-Identifier: Apache-2.0
#include "automation/trace.h"

#include "automation/data.h"
#include "automation/secrets.h"
#include "base/json_fields.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "template/state_value.h"

namespace hearth::automation {
namespace {

std::string_view text_of(Execution how) {
  switch (how) {
    case Execution::running:
    case Execution::finished:
      return "finished";
    case Execution::failed_conditions:
      return "failed_conditions";
    case Execution::failed_single:
      return "failed_single";
    case Execution::failed_max_runs:
      return "failed_max_runs";
    case Execution::aborted:
      return "aborted";
    case Execution::cancelled:
      return "cancelled";
    case Execution::error:
      return "error";
  }
  return "finished";
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(json::string(text));
}

json::value time_or_null(const std::optional<base::Timestamp>& time) {
  return time ? json::value(json::string(base::to_string(*time))) : json::value();
}

json::object shown_context(const core::Context& context) {
  const auto text = [](const std::optional<base::Id>& id) {
    return id ? json::value(json::string(id->str())) : json::value();
  };
  return {{"id", json::string(context.id.str())},
          {"parent_id", text(context.parent_id)},
          {"user_id", text(context.user_id)}};
}

}  // namespace

json::value shown_value(const templates::Value& value) {
  if (const auto* const object = value.get<templates::ObjectPtr>()) {
    if (const core::StatePtr state = templates::state_of(*object))
      return base::parse_json(state->json()).value_or(json::value());
    return json::string(templates::to_text(value));
  }
  if (const auto* const dict = value.get<templates::DictPtr>()) {
    json::object object;
    for (const auto& [key, item] : (*dict)->entries()) object[templates::to_text(key)] = shown_value(item);
    return object;
  }
  if (value.get<templates::List>() || value.get<templates::Tuple>()) {
    json::array list;
    for (const templates::Value& item : templates::items_of(value)) list.push_back(shown_value(item));
    return list;
  }
  if (value.is_undefined()) return nullptr;
  return json_of(value);
}

Trace::Trace(const Item& item, const core::Context& context, std::string trigger, base::Timestamp now)
    : kind_(item.kind),
      item_id_(item.unique_id),
      secrets_(item.secrets),
      context_(context),
      trigger_(std::move(trigger)),
      start_(now) {}

Trace::Trace(const Item& item, const core::Context& context, const json::object& stored, base::Timestamp now)
    : Trace(item, context, base::text_at(stored, "trigger"),
            stored.contains("start") ? base::Timestamp(base::Duration(base::number_at(stored, "start"))) : now) {
  has_called_ = base::flag_at(stored, "called");
  resting_ = base::text_at(stored, "steps");
  bytes_ = resting_.size();
  records_ = static_cast<std::size_t>(base::number_at(stored, "records"));
  left_out_before_ = static_cast<std::size_t>(base::number_at(stored, "left_out"));
  enter("restart", now);
  add_result({{"restored", true}});
  rest();
}

json::object Trace::stored() const {
  json::object all{
      {"trigger", json::string(trigger_)}, {"start", start_.time_since_epoch().count()}, {"called", has_called_}};
  std::string steps;
  if (bytes_ <= kMaxStored) steps = resting_.empty() ? base::to_json(steps_) : resting_;
  const bool fits = !steps.empty() && steps.size() <= kMaxStored;
  if (fits) {
    all["steps"] = json::string(steps);
    all["records"] = records_;
  }
  all["left_out"] = left_out_before_ + left_out_ + (fits ? 0 : records_);
  return all;
}

// Without secrets, and not longer than a person reads.
json::value Trace::fit_to_show(json::value value) const {
  if (!secrets_.empty()) mask_secrets(value, secrets_);
  std::string text = base::to_json(value);
  if (text.size() <= kMaxText) return value;
  text.resize(kMaxText);
  return json::string(base::utf8_repaired(text) + " …");
}

void Trace::rest() {
  if (steps_.empty()) return;
  resting_ = base::to_json(steps_);
  resting_.shrink_to_fit();
  steps_ = json::object();
  record_ = nullptr;
}

void Trace::wake() {
  if (resting_.empty()) return;
  // It fails for a value that is nested deeper than JSON may be here.
  if (auto steps = base::parse_json(resting_); steps && steps->is_object()) steps_ = std::move(steps->get_object());
  resting_ = std::string();
  json::value* const list = record_path_.empty() ? nullptr : steps_.if_contains(record_path_);
  record_ = list ? &list->get_array().back().get_object() : nullptr;
}

void Trace::enter(std::string path, base::Timestamp now) {
  wake();
  last_step_ = path;
  record_path_.clear();
  if (records_ >= kMaxRecords || bytes_ >= kMaxBytes) {
    ++left_out_;
    record_ = nullptr;
    return;
  }
  record_path_ = path;
  ++records_;
  json::value& list = steps_[path];
  if (!list.is_array()) list.emplace_array();
  json::object record{{"path", json::string(path)}, {"timestamp", json::string(base::to_string(now))}};
  bytes_ += 60 + 2 * path.size();
  record_ = &list.get_array().emplace_back(std::move(record)).get_object();
}

void Trace::select(const std::string& path) {
  wake();
  json::value* const list = steps_.if_contains(path);
  record_ = list && left_out_ == 0 ? &list->get_array().back().get_object() : nullptr;
  record_path_ = record_ ? path : std::string();
}

void Trace::go_on(const std::string& path, base::Timestamp now) {
  select(path);
  if (!record_) return enter(path, now);
  last_step_ = path;
}

json::object* Trace::part(std::string_view name) {
  wake();
  if (!record_ || bytes_ >= kMaxBytes) return nullptr;
  json::value& found = (*record_)[name];
  return found.is_object() ? &found.get_object() : &found.emplace_object();
}

void Trace::put(std::string_view name, std::string_view key, json::value value) {
  json::object* const object = part(name);
  if (!object) return;
  json::value text = fit_to_show(std::move(value));
  bytes_ += key.size() + base::to_json(text).size() + 4;
  (*object)[key] = std::move(text);
}

void Trace::add_result(json::object result) {
  for (auto& [key, value] : result) put("result", key, std::move(value));
}

void Trace::add_error(std::string_view text) {
  wake();
  if (!record_) return;
  json::value shown = fit_to_show(json::string(text));
  bytes_ += shown.get_string().size();
  (*record_)["error"] = std::move(shown);
}

void Trace::add_variable(std::string_view name, const templates::Value& value) {
  put("changed_variables", name, shown_value(value));
}

void Trace::add_rendered(std::string_view key, const templates::Value& value) {
  put("rendered", key, shown_value(value));
}

void Trace::add_state(std::string_view entity_id, const core::StatePtr& state) {
  put("states", entity_id, state ? json::value(json::string(state->value())) : json::value());
}

void Trace::add_child(std::string_view domain, std::string_view item_id, const base::Id& run) {
  wake();
  if (!record_) return;
  (*record_)["child_id"] = json::object{
      {"domain", json::string(domain)}, {"item_id", json::string(item_id)}, {"run_id", json::string(run.str())}};
}

void Trace::finish(Execution how, std::string error, base::Timestamp now) {
  execution_ = how;
  error_ = std::move(error);
  finish_ = now;
  record_ = nullptr;
  record_path_.clear();
}

json::object Trace::row() const {
  json::object row{
      {"last_step", text_or_null(last_step_)},
      {"run_id", json::string(context_.id.str())},
      {"state", execution_ == Execution::running ? "running" : "stopped"},
      {"script_execution",
       execution_ == Execution::running ? json::value() : json::value(json::string(text_of(execution_)))},
      {"timestamp", json::object{{"start", json::string(base::to_string(start_))}, {"finish", time_or_null(finish_)}}},
      {"domain", json::string(domain_of(kind_))},
      {"item_id", json::string(item_id_)}};
  if (!error_.empty()) row["error"] = json::string(error_);
  if (kind_ == ItemKind::automation) row["trigger"] = text_or_null(trigger_);
  return row;
}

json::object Trace::whole(const json::object& about) const {
  json::object all = row();
  all["trace"] = resting_.empty() ? json::value(steps_) : base::parse_json(resting_).value_or(json::object());
  for (const auto& [key, value] : about) all[key] = value;
  all["context"] = shown_context(context_);
  if (const std::size_t count = left_out_before_ + left_out_; count > 0) all["left_out"] = count;
  return all;
}

}  // namespace hearth::automation
