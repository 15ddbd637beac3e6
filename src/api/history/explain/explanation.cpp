// SPDX-License-Identifier: Apache-2.0
#include "api/history/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/history/context_events.h"
#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "core/values/entity_id.h"
#include "recorder/history/entity_history.h"

namespace hearth::api {
namespace {

using recorder::HistoryReader;
using Kept = HistoryReader::KeptEvent;

constexpr base::Duration kMargin = std::chrono::seconds(1);

// When the ULID was made; null if it is none.
std::optional<base::Timestamp> time_of(std::string_view ulid) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  constexpr std::size_t kLength = 26, kTime = 10;
  if (ulid.size() != kLength) return {};
  std::int64_t milliseconds = 0;
  for (const char digit : ulid.substr(0, kTime)) {
    const std::size_t value = kDigits.find(digit);
    if (value == std::string_view::npos) return {};
    milliseconds = milliseconds * 32 + static_cast<std::int64_t>(value);
  }
  constexpr std::int64_t kMost = 253'402'300'800'000;  // the year 10000
  if (milliseconds > kMost) return {};
  return base::Timestamp(std::chrono::milliseconds(milliseconds));
}

// Since when what has the context may be found.
base::Timestamp since(std::string_view context_id, base::Timestamp until) {
  const auto made = time_of(context_id);
  const auto earliest = until - Explanation::kReach;
  return made && *made < until ? std::max(*made - kMargin, earliest) : earliest;
}

json::object object_of(const std::string& text) {
  auto parsed = base::parse_json(text);
  return parsed && parsed->is_object() ? std::move(parsed->get_object()) : json::object();
}

}  // namespace

base::Result<std::optional<Explanation::Change>> Explanation::change_before(HistoryReader& reader,
                                                                            base::Timestamp at) const {
  std::optional<Change> last;
  const auto take = [&](const recorder::Change& change) {
    if (change.removed) return static_cast<void>(last.reset());
    if (last && last->value == change.value) return;
    const bool existed = last.has_value();
    last = Change{change.updated,
                  std::string(change.value),
                  existed ? last->value : std::string(),
                  std::string(change.context_id),
                  std::string(change.parent_id),
                  std::string(change.user_id),
                  existed};
  };
  // When the value changed is known with each state: from a moment before that, there are the change and the value
  // that it replaced.
  recorder::EntityHistory whole(entity_id_, {at, at});
  auto piece = whole.next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  while (!piece->initial && piece->more) {
    piece = whole.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
  }
  if (!piece->initial) return std::optional<Change>();
  const base::Timestamp changed = piece->initial->changed;
  const recorder::Change initial = *piece->initial;
  recorder::EntityHistory around(entity_id_, {changed - base::Duration(1), changed});
  for (bool more = true; more;) {
    auto next = around.next(reader);
    if (!next) return std::unexpected(std::move(next.error()));
    if (next->initial) take(*next->initial);
    for (const recorder::Change& change : next->changes) take(change);
    more = next->more;
  }
  if (!last || last->value != initial.value) take(initial);
  return last;
}

base::Result<std::optional<Explanation::Change>> Explanation::change_in(HistoryReader& reader,
                                                                        const std::string& entity_id,
                                                                        const std::string& context_id,
                                                                        base::Timestamp until) const {
  std::optional<Change> found;
  std::string former;
  bool existed = false;
  recorder::EntityHistory history(entity_id, {since(context_id, until), until});
  for (bool more = true; more;) {
    auto piece = history.next(reader);
    if (!piece) return std::unexpected(std::move(piece.error()));
    const auto take = [&](const recorder::Change& change) {
      if (change.context_id == context_id && !change.removed && (!found || change.changed == change.updated))
        found = Change{change.updated, std::string(change.value),     former,
                       context_id,     std::string(change.parent_id), std::string(change.user_id),
                       existed};
      former = change.removed ? std::string_view() : change.value;
      existed = !change.removed;
    };
    if (piece->initial) take(*piece->initial);
    std::ranges::for_each(piece->changes, take);
    more = piece->more;
  }
  return found;
}

base::Result<std::optional<Explanation::RunElsewhere>> Explanation::run_elsewhere(HistoryReader& reader,
                                                                                  const Link& link) const {
  if (!time_of(link.context_id)) return std::nullopt;  // without it the whole reach of each would be read
  std::vector<const core::RegisteredEntity*> items;
  registry_.for_each_entity([&](const core::RegisteredEntity& entity) {
    const std::string_view domain = entity.domain();
    if ((domain == "automation" || domain == "script") && !core::provider_of(entity).empty() &&
        items.size() < kMostElsewhere)
      items.push_back(&entity);
  });
  for (const core::RegisteredEntity* const item : items) {
    auto change = change_in(reader, item->entity_id, link.context_id, link.at);
    if (!change) return std::unexpected(std::move(change.error()));
    if (*change) return RunElsewhere{item->entity_id, registry_.friendly_name(*item), std::move(**change)};
  }
  return std::nullopt;
}

void Explanation::add(std::string_view kind, base::Timestamp at, json::object facts, std::string text) {
  json::object row{{"kind", kind}, {"at", base::to_string(at)}};
  for (auto& [key, value] : facts) row[key] = std::move(value);
  row["text"] = std::move(text);
  chain_.push_back(std::move(row));
}

void Explanation::add_change(const std::string& entity_id, const Change& change) {
  const json::value from = change.existed ? json::value(json::string(change.former)) : json::value();
  add("state", change.at, {{"entity_id", entity_id}, {"from", from}, {"to", change.value}},
      !change.existed ? fmt::format("{} came into the home as {}.", entity_id, change.value)
      : change.former == change.value
          ? fmt::format("{} stayed {}, and its attributes changed.", entity_id, change.value)
          : fmt::format("{} changed from {} to {}.", entity_id, change.former, change.value));
}

void Explanation::add_call(const Kept& event) {
  const json::object data = object_of(event.data);
  const std::string service = base::text_at(data, "domain") + "." + base::text_at(data, "service");
  const json::value* const fields = data.if_contains("service_data");
  add("call", event.fired, {{"service", service}, {"data", fields ? *fields : json::value(json::object())}},
      fmt::format("{} was called.", service));
}

void Explanation::add_run_elsewhere(const RunElsewhere& run) {
  const bool automation = run.entity_id.starts_with("automation.");
  add("run", run.change.at,
      {{automation ? "automation" : "script", run.entity_id},
       {"run_id", nullptr},
       {"path", nullptr},
       {"alias", run.name}},
      fmt::format("The {} {} ran at another hub.", automation ? "automation" : "script",
                  run.name.empty() ? run.entity_id : run.name));
}

core::TriggerCause Explanation::add_run(const Kept& event) {
  const json::object data = object_of(event.data);
  const std::string entity_id = base::text_at(data, "entity_id"), name = base::text_at(data, "name");
  const bool automation = event.type == "automation_triggered";
  add("run", event.fired,
      {{automation ? "automation" : "script", entity_id},
       {"run_id", json::string(std::string_view(event.context.id))},
       {"path", nullptr},
       {"alias", name}},
      fmt::format("The {} {} ran.", automation ? "automation" : "script", name.empty() ? entity_id : name));
  return automation ? core::TriggerCause::of(data) : core::TriggerCause();
}

void Explanation::add_trigger(base::Timestamp at, const core::TriggerCause& cause) {
  json::object facts{{"id", nullptr}, {"platform", nullptr}};
  if (!cause.platform.empty()) facts["platform"] = cause.platform;
  if (!cause.entity_id.empty()) facts["entity_id"] = cause.entity_id;
  add("trigger", at, std::move(facts), fmt::format("Its trigger was: {}.", cause.source));
}

json::object Explanation::user_link(std::string_view at, const std::string& user_id, const Names& names) {
  const auto user = names.find(user_id);
  const std::string name = user == names.end() ? std::string() : user->second;
  return {{"kind", "user"},
          {"at", at},
          {"name", name.empty() ? json::value() : json::value(name)},
          {"user_id", user_id},
          {"text", fmt::format("{} did it.", name.empty() ? "A user" : name)}};
}

void Explanation::add_root(const std::string& entity_id, const Link& link) {
  if (!link.user_id.empty()) {
    chain_.push_back(user_link(base::to_string(link.at), link.user_id, names_));
    return;
  }
  if (entity_id.empty()) return;
  const core::RegisteredEntity* const entity = registry_.find_entity(entity_id);
  const std::string integration = entity ? entity->integration : std::string();
  add("report", link.at,
      {{"entity_id", entity_id}, {"integration", integration.empty() ? json::value() : json::value(integration)}},
      integration.empty() ? fmt::format("{} was reported so.", entity_id)
                          : fmt::format("{} was reported so by {}.", entity_id, integration));
}

base::Result<json::object> Explanation::explain(HistoryReader& reader) {
  auto change = change_before(reader, at_);
  if (!change) return std::unexpected(std::move(change.error()));
  if (!*change)
    return base::fail(base::ErrorCode::not_found, fmt::format("History has no state of {} then.", entity_id_));
  std::string entity_id = entity_id_;  // whose change has the context of the link; empty if none has
  add_change(entity_id, **change);
  Link link{(*change)->context_id, (*change)->parent_id, (*change)->user_id, (*change)->at};
  ContextEvents events([&](base::Timestamp from, base::Timestamp until, const HistoryReader::TakeEvent& take) {
    return reader.events(from, until, take);
  });
  for (int links = 0; links < kMostLinks; ++links) {
    const auto found = events.find(link.context_id, since(link.context_id, link.at), link.at);
    if (!found) return std::unexpected(found.error());
    if (found->parent_id) link.parent_id = found->parent_id->str();
    if (found->user_id) link.user_id = found->user_id->str();
    if (found->call) add_call(*found->call);
    core::TriggerCause trigger;
    if (found->run) {
      link.at = found->run->fired;
      trigger = add_run(*found->run);
    }
    if (!found->run && !found->call) {
      const auto elsewhere = run_elsewhere(reader, link);
      if (!elsewhere) return std::unexpected(elsewhere.error());
      if (*elsewhere && (*elsewhere)->entity_id != entity_id) {
        add_run_elsewhere(**elsewhere);
        entity_id.clear();
        link.at = (*elsewhere)->change.at;
        if (link.parent_id.empty()) link.parent_id = (*elsewhere)->change.parent_id;
        if (link.user_id.empty()) link.user_id = (*elsewhere)->change.user_id;
      }
    }
    if (!trigger.source.empty()) add_trigger(link.at, trigger);
    if (trigger.is_of_clock()) {
      add("time", link.at, {}, fmt::format("It was {} then.", base::to_string(link.at)));
      break;
    }
    if (link.parent_id.empty()) {
      if (!found->run || !link.user_id.empty()) add_root(found->call ? std::string() : entity_id, link);
      break;
    }
    const std::string parent = link.parent_id, &cause = trigger.entity_id;
    link = {parent, {}, link.user_id, link.at};
    entity_id.clear();
    if (cause.empty() || !registry_.reads(cause)) continue;
    auto causing = change_in(reader, cause, parent, link.at);
    if (!causing) return std::unexpected(std::move(causing.error()));
    if (!*causing) continue;
    entity_id = cause;
    add_change(cause, **causing);
    link = {parent, (*causing)->parent_id, (*causing)->user_id, (*causing)->at};
  }
  return json::object{{"chain", std::move(chain_)}};
}

}  // namespace hearth::api
