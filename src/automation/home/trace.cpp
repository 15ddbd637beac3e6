// SPDX-License-Identifier: Apache-2.0
#include "automation/home/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/items/secrets.h"
#include "automation/values/data.h"
#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kPath = "path", kRecords = "records";

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

Trace::Trace(const Item& item, const core::Context& context, const json::object& stored,
             const std::vector<json::object>& parts, base::Timestamp now)
    : Trace(item, context, base::text_at(stored, "trigger"),
            stored.contains("start") ? base::Timestamp(base::Duration(base::number_at(stored, "start"))) : now) {
  has_called_ = base::flag_at(stored, "called");
  left_out_before_ = static_cast<std::size_t>(base::number_at(stored, "left_out"));
  for (const json::object& part : parts) {
    add_records(part);
    parts_.push_back({records_.size(), false});
  }
  add_records(stored);
  // As former versions kept them: lists by path, in one text.
  if (const auto steps = base::parse_json(base::text_at(stored, "steps")); steps && steps->is_object()) {
    for (const auto& [path, list] : steps->get_object()) {
      if (!list.is_array()) continue;
      for (const json::value& record : list.get_array()) records_.push_back(base::to_json(record));
    }
  }
  for (const std::string& record : records_) bytes_ += record.size();
  enter("restart", now);
  add_result({{"restored", true}});
  rest();
}

void Trace::add_records(const json::object& stored) {
  const auto* const records = base::value_at(stored, kRecords).if_array();
  if (!records) return;
  for (const json::value& record : *records) {
    if (record.is_string()) records_.emplace_back(record.get_string());
  }
}

json::object Trace::stored(const std::function<void(std::size_t part, json::object records)>& put) {
  close();
  std::size_t end = parts_.empty() ? 0 : parts_.back().end, bytes = 0, of_others = 0;
  for (std::size_t index = 0; index < end; ++index) bytes += records_[index].size();
  for (; end < records_.size() && bytes + records_[end].size() <= kMaxStored; ++end) {
    bytes += records_[end].size();
    of_others += records_[end].size();
    if (!put || of_others < kStoredPart) continue;
    parts_.push_back({end + 1, true});
    of_others = 0;
  }
  // When no further ones fit, the last ones are a part, too.
  if (put && of_others > 0 && end < records_.size()) parts_.push_back({end, true});
  const auto texts = [&](std::size_t from, std::size_t to) {
    json::array list;
    for (; from < to; ++from) list.emplace_back(json::string(records_[from]));
    return list;
  };
  std::size_t begin = 0;
  for (std::size_t number = 0; put && number < parts_.size(); begin = parts_[number++].end) {
    if (std::exchange(parts_[number].changed, false)) put(number, {{kRecords, texts(begin, parts_[number].end)}});
  }
  json::object all{
      {"trigger", json::string(trigger_)}, {"start", start_.time_since_epoch().count()}, {"called", has_called_}};
  if (begin < end) all[kRecords] = texts(begin, end);
  if (const std::size_t count = left_out_before_ + left_out_ + records_.size() - end; count > 0)
    all["left_out"] = count;
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
  close();
  records_.shrink_to_fit();
}

void Trace::close() {
  if (!open_) return;
  std::string text = base::to_json(*open_);
  open_.reset();
  if (text == records_[*present_]) return;
  text.shrink_to_fit();
  records_[*present_] = std::move(text);
  const auto part = std::ranges::find_if(parts_, [&](const Part& each) { return *present_ < each.end; });
  if (part != parts_.end()) part->changed = true;
}

void Trace::enter(std::string path, base::Timestamp now) {
  close();
  last_step_ = path;
  present_.reset();
  if (records_.size() >= kMaxRecords || bytes_ >= kMaxBytes) {
    ++left_out_;
    return;
  }
  bytes_ += 60 + 2 * path.size();
  present_ = records_.size();
  records_.emplace_back();
  open_ = json::object{{kPath, json::string(path)}, {"timestamp", json::string(base::to_string(now))}};
}

void Trace::select(const std::string& path) {
  const std::string begin = fmt::format("{{\"{}\":{},", kPath, base::to_json(json::value(json::string(path))));
  if (present_ && open_ && base::text_at(*open_, kPath) == path) return;
  close();
  present_.reset();
  if (left_out_ > 0) return;
  for (std::size_t index = records_.size(); index > 0 && !present_; --index) {
    if (records_[index - 1].starts_with(begin)) present_ = index - 1;
  }
}

void Trace::go_on(const std::string& path, base::Timestamp now) {
  // The records of its last round may be left out.
  if (left_out_before_ == 0) select(path);
  if (left_out_before_ > 0 || !present_) return enter(path, now);
  last_step_ = path;
}

json::object* Trace::present() {
  if (!present_) return nullptr;
  if (!open_) {
    // It fails for a value that is nested deeper than JSON may be here.
    auto record = base::parse_json(records_[*present_]);
    if (!record || !record->is_object()) return nullptr;
    open_ = std::move(record->get_object());
  }
  return &*open_;
}

json::object* Trace::part(std::string_view name) {
  json::object* const record = bytes_ >= kMaxBytes ? nullptr : present();
  if (!record) return nullptr;
  json::value& found = (*record)[name];
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
  json::object* const record = present();
  if (!record) return;
  json::value shown = fit_to_show(json::string(text));
  bytes_ += shown.get_string().size();
  (*record)["error"] = std::move(shown);
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
  json::object* const record = present();
  if (!record) return;
  (*record)["child_id"] = json::object{
      {"domain", json::string(domain)}, {"item_id", json::string(item_id)}, {"run_id", json::string(run.str())}};
}

void Trace::finish(Execution how, std::string error, base::Timestamp now) {
  execution_ = how;
  error_ = std::move(error);
  finish_ = now;
  close();
  present_.reset();
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
  json::object& steps = all["trace"].emplace_object();
  for (std::size_t index = 0; index < records_.size(); ++index) {
    const bool is_open = open_ && present_ == index;
    auto record = is_open ? base::Result<json::value>(*open_) : base::parse_json(records_[index]);
    if (!record || !record->is_object()) continue;  // it is nested deeper than JSON may be
    json::value& list = steps[base::text_at(record->get_object(), kPath)];
    if (!list.is_array()) list.emplace_array();
    list.get_array().push_back(std::move(*record));
  }
  for (const auto& [key, value] : about) all[key] = value;
  all["context"] = shown_context(context_);
  if (const std::size_t count = left_out_before_ + left_out_; count > 0) all["left_out"] = count;
  return all;
}

}  // namespace hearth::automation
