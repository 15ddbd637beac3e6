// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/run_entries.h"

#include <algorithm>
#include <numeric>

#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kAt = "$at";  // {"$at": 3}: the value is in the entry 3 of the run
constexpr std::string_view kValue = "value";

struct Address {
  template <class T>
  const void* operator()(const T&) const {
    return nullptr;
  }
  const void* operator()(const templates::Text& text) const { return text.text.get(); }
  const void* operator()(const templates::Bytes& bytes) const { return bytes.bytes.get(); }
  const void* operator()(const templates::List& list) const { return list.items.get(); }
  const void* operator()(const templates::Tuple& tuple) const { return tuple.items.get(); }
  const void* operator()(const templates::Generator& generator) const { return generator.items.get(); }
  const void* operator()(const templates::DictPtr& dict) const { return dict.get(); }
  const void* operator()(const templates::JsonNode& node) const { return node.node; }
  const void* operator()(const templates::ObjectPtr& object) const { return object.get(); }
};

json::object reference(std::uint64_t number) {
  json::object object;
  object[kAt] = number;
  return object;
}

// Null if it is none.
const json::value* referred(const json::value& stored) {
  const auto* const object = stored.if_object();
  return object && object->size() == 1 ? object->if_contains(kAt) : nullptr;
}

}  // namespace

RunEntries::RunEntries(Store& store, const base::Id& run) : store_(store), head_(keys::run(run)) {}

RunEntries::Identity RunEntries::identity_of(const templates::Value& value) {
  return {value.data().index(), std::visit(Address(), value.data())};
}

json::value RunEntries::stored(const templates::Value& value) {
  const Identity identity = identity_of(value);
  if (!identity.second) return to_stored(value);
  if (const auto known = apart_.find(identity); known != apart_.end()) {
    known->second.used = true;
    return reference(known->second.number);
  }
  json::value made = to_stored(value);
  std::string text = base::to_json(made);
  if (text.size() <= kInHead) return made;
  text = "{\"value\":" + text + "}";
  const std::size_t bytes = text.size();
  apart_.emplace(identity, Apart{++last_number_, value, bytes, std::move(text)});
  return reference(last_number_);
}

json::array RunEntries::stored(const templates::Variables& variables) {
  json::array list;
  for (const auto& [name, value] : variables) list.push_back(json::array{json::string(name), stored(value)});
  return list;
}

json::object RunEntries::stored(Trace& trace) {
  if (too_large_) return trace.stored({});
  return trace.stored([this](std::size_t part, const json::object& records) {
    std::string text = base::to_json(records);
    trace_parts_ = std::max(trace_parts_, part + 1);
    trace_bytes_ += text.size();
    store_.put(trace_key(part), std::move(text));
  });
}

bool RunEntries::write(const json::object& head) {
  std::string text = base::to_json(head);
  const std::size_t bytes = std::accumulate(
      apart_.begin(), apart_.end(), text.size() + trace_bytes_,
      [](std::size_t sum, const auto& each) { return sum + (each.second.used ? each.second.bytes : 0); });
  if (bytes > core::Journal::kMaxEntryBytes) {
    forget();
    too_large_ = true;
    return false;
  }
  // Before the head that names them.
  for (auto& [identity, each] : apart_) {
    if (!each.used || each.written) continue;
    if (each.text.empty()) each.text = base::to_json(json::object{{kValue, to_stored(each.value)}});
    store_.put(key(each.number), std::exchange(each.text, {}));
    each.written = true;
  }
  store_.put(head_, std::move(text));
  remove_unused();
  return true;
}

// After the head that does not name them any more. What the next one does not name is unused.
void RunEntries::remove_unused() {
  for (auto each = apart_.begin(); each != apart_.end();) {
    if (std::exchange(each->second.used, false)) {
      ++each;
      continue;
    }
    if (each->second.written) store_.forget(key(each->second.number));
    each = apart_.erase(each);
  }
}

void RunEntries::forget() {
  store_.forget(head_);
  for (auto& [identity, each] : apart_) {
    if (std::exchange(each.written, false)) store_.forget(key(each.number));
    each.text = {};
  }
  for (std::size_t part = 0; part < trace_parts_; ++part) store_.forget(trace_key(part));
  trace_parts_ = trace_bytes_ = 0;
  remove_unused();
}

templates::Value RunEntries::value(const json::value& stored) {
  const json::value* const number = referred(stored);
  if (!number || !number->is_int64()) return value_from_stored(stored);
  const auto at = static_cast<std::uint64_t>(number->get_int64());
  const auto known = std::ranges::find_if(apart_, [&](const auto& each) { return each.second.number == at; });
  if (known != apart_.end()) return known->second.value;
  const auto entry = store_.extract(key(at));
  if (!entry) return templates::Value::undefined("it did not survive the restart");
  templates::Value value = value_from_stored(base::value_at(*entry, kValue));
  last_number_ = std::max(last_number_, at);
  Apart apart{at, value, base::to_json(*entry).size()};
  apart.written = true;
  apart_.insert_or_assign(identity_of(value), std::move(apart));
  return value;
}

templates::Variables RunEntries::variables(const json::value& stored) {
  templates::Variables variables;
  if (const auto* const list = stored.if_array()) {
    for (const json::value& each : *list) {
      const auto* const pair = each.if_array();
      if (pair && pair->size() == 2 && (*pair)[0].is_string())
        variables.emplace_back(std::string((*pair)[0].get_string()), value((*pair)[1]));
    }
  }
  return variables;
}

std::vector<json::object> RunEntries::trace_parts() {
  std::vector<json::object> parts;
  while (auto entry = store_.extract(trace_key(parts.size()))) {
    trace_bytes_ += base::to_json(*entry).size();
    parts.push_back(std::move(*entry));
  }
  trace_parts_ = parts.size();
  return parts;
}

}  // namespace hearth::automation
