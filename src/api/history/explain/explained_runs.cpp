// SPDX-License-Identifier: Apache-2.0
#include "api/history/explain/explained_runs.h"

#include <memory>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

const json::object* object_in(const json::object* object, std::string_view key) {
  return object ? base::value_at(*object, key).if_object() : nullptr;
}

std::optional<base::Timestamp> time_in(const json::object& object, std::string_view key) {
  const auto time = base::parse_timestamp(base::text_view_at(object, key));
  return time ? std::optional(*time) : std::nullopt;
}

// Calls read(path, record) for each record of the trace.
template <class Read>
void for_each_record(const json::object& trace, Read read) {
  const json::object* const steps = object_in(&trace, "trace");
  if (!steps) return;
  for (const auto& [path, records] : *steps) {
    const json::array* const list = records.if_array();
    if (!list) continue;
    for (const json::value& record : *list) {
      if (const json::object* const object = record.if_object()) read(std::string_view(path), *object);
    }
  }
}

// The last step that called the service before it was called.
json::value path_of_call(const json::object& trace, const json::object& call) {
  const auto called = time_in(call, "at");
  const std::string_view service = base::text_view_at(call, "service");
  json::value path;
  std::optional<base::Timestamp> newest;
  for_each_record(trace, [&](std::string_view at, const json::object& record) {
    const json::object* const params = object_in(object_in(&record, "result"), "params");
    const auto begun = time_in(record, "timestamp");
    if (!params || !begun || !called || *begun > *called || (newest && *begun < *newest)) return;
    if (base::text_at(*params, "domain") + "." + base::text_at(*params, "service") != service) return;
    newest = begun;
    path = json::string(at);
  });
  return path;
}

json::value id_of_trigger(const json::object& trace) {
  json::value id;
  for_each_record(trace, [&](std::string_view at, const json::object& record) {
    const json::object* const trigger = object_in(object_in(&record, "changed_variables"), "trigger");
    if (at.starts_with("trigger/") && trigger) id = json::string(base::text_view_at(*trigger, "id"));
  });
  return id;
}

// The person who fired the event that triggered the run; empty if it was no event, or nobody is known.
std::string user_of_event(const json::object& trace) {
  std::string user;
  for_each_record(trace, [&](std::string_view at, const json::object& record) {
    const json::object* const trigger = object_in(object_in(&record, "changed_variables"), "trigger");
    const json::object* const event = at.starts_with("trigger/") ? object_in(trigger, "event") : nullptr;
    if (const json::object* const context = object_in(event, "context")) user = base::text_view_at(*context, "user_id");
  });
  return user;
}

// Asks for one trace after the other.
struct RunDetails : std::enable_shared_from_this<RunDetails> {
  RunDetails(Automations& asked, json::object explained, const Explanation::Names& users,
             std::function<void(json::object)> when_done)
      : automations(asked),
        answer(std::move(explained)),
        runs(asked.trace_contexts()),
        names(users),
        done(std::move(when_done)) {}

  json::array& chain() { return answer.at("chain").as_array(); }
  // The link of that kind at that place; null if it is another.
  json::object* link(std::size_t at, std::string_view kind) {
    json::object* const found = at < chain().size() ? chain()[at].if_object() : nullptr;
    return found && base::text_view_at(*found, "kind") == kind ? found : nullptr;
  }
  void go_on() {
    for (; next < chain().size(); ++next) {
      const json::object* const run = link(next, "run");
      const std::string id(run ? base::text_view_at(*run, "run_id") : std::string_view());
      const json::object* const named = run ? object_in(&runs, id) : nullptr;
      if (!named) continue;
      return automations.trace(base::text_view_at(*named, "domain"), base::text_at(*named, "item_id"), id,
                               [self = shared_from_this()](const std::optional<std::string>& json) {
                                 self->add(json);
                                 ++self->next;
                                 self->go_on();
                               });
    }
    for (std::size_t at = 0; at < chain().size(); ++at)
      if (json::object* const call = link(at, "call")) automations.hide_secrets((*call)["data"]);
    done(std::move(answer));
  }
  void add(const std::optional<std::string>& json) {
    const auto parsed = json ? base::parse_json(*json) : base::Result<json::value>(json::value());
    const json::object* const trace = parsed ? parsed->if_object() : nullptr;
    if (!trace) return;
    if (const json::object* const call = next > 0 ? link(next - 1, "call") : nullptr)
      chain()[next].get_object()["path"] = path_of_call(*trace, *call);
    json::object* const trigger = link(next + 1, "trigger");
    if (!trigger) return;
    (*trigger)["id"] = id_of_trigger(*trace);
    // History keeps no events of other types, so the chain ended here.
    const std::string user = next + 2 == chain().size() ? user_of_event(*trace) : std::string();
    if (!user.empty()) chain().push_back(Explanation::user_link(base::text_view_at(*trigger, "at"), user, names));
  }

  Automations& automations;
  json::object answer;
  const json::object runs;
  const Explanation::Names names;
  const std::function<void(json::object)> done;
  std::size_t next = 0;
};

}  // namespace

void explain_runs(Automations& automations, json::object explained, const Explanation::Names& names,
                  std::function<void(json::object explained)> done) {
  std::make_shared<RunDetails>(automations, std::move(explained), names, std::move(done))->go_on();
}

}  // namespace hearth::api
