// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/bridge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::chrono::seconds kAnswerLimit{30};
constexpr base::Duration kTokenCheck = std::chrono::hours(24);
constexpr std::size_t kCompared = 200;  // entries, to see that two hubs are one
constexpr std::size_t kNamedDoubles = 5;

}  // namespace

Bridge::Bridge(const domains::IntegrationHome& home, const Options& options)
    : home_(home),
      options_(options),
      connection_(std::make_unique<HubConnection>(*home.reactor, home.bus, options, home.hub.config.load()->language,
                                                  [this](News news) { take(std::move(news)); })),
      own_link_(*connection_, kOwn),
      doubles_link_(*connection_, kDoubles),
      status_(home_, options_),
      doubles_(home_, doubles_link_, [this] { tell_doubles(); }) {}

Bridge::~Bridge() = default;

void Bridge::stop() {
  stopped_ = true;
  token_check_ = {};
  connection_.reset();
}

void Bridge::take(News news) {
  if (stopped_ || status_.has_ended()) return;
  std::visit(
      [this]<class Kind>(Kind& one) {
        if constexpr (std::is_same_v<Kind, Opened>) {
          opened(one.hub);
        } else if constexpr (std::is_same_v<Kind, Registries>) {
          registered(one);
        } else if constexpr (std::is_same_v<Kind, Services>) {
          status_.services(one.services.size());
        } else if constexpr (std::is_same_v<Kind, Picture>) {
          status_.pictured(one.states.size(), one.running);
          doubles_.take(one);
        } else if constexpr (std::is_same_v<Kind, Running>) {
          status_.running();
        } else if constexpr (std::is_same_v<Kind, Changes>) {
          status_.changed(one.changes.size());
          doubles_.take(one);
        } else if constexpr (std::is_same_v<Kind, Answer>) {
          answered(std::move(one));
        } else if constexpr (std::is_same_v<Kind, Lost>) {
          status_.lost(one);
          token_check_ = {};
        } else if constexpr (std::is_same_v<Kind, Latency>) {
          status_.measured(one);
        }
      },
      news);
}

void Bridge::opened(const OtherHub& hub) {
  status_.opened(hub);
  if (!hub.uuid.empty() && hub.uuid == home_.hub.config.load()->uuid) {
    status_.is_self();
    return give_up();
  }
  own_link_.send(1, {{"type", "auth/refresh_tokens"}}, kAnswerLimit);
}

void Bridge::registered(const Registries& registries) {
  const auto registry = home_.hub.registry.snapshot();
  const std::string own = "home_assistant." + options_.name;
  std::map<std::string_view, std::size_t> known;  // by provider
  std::size_t compared = 0;
  for (const OtherEntity& entity : registries.entities) {
    if (entity.id.empty()) continue;
    if (++compared > kCompared) break;
    const auto* const here = registry->find_entity_by_id(entity.id);
    if (here && here->provider != own && here->provider.starts_with("home_assistant.")) ++known[here->provider];
  }
  for (const auto& [provider, count] : known) {
    if (count * 2 <= std::min(compared, kCompared)) continue;
    status_.is_twice(std::string(provider.substr(provider.find('.') + 1)));
    return give_up();
  }
}

// The connection goes in a later turn, because this is within a call of it.
void Bridge::give_up() {
  token_check_ = home_.bus.schedule(base::Duration(0), [this] { stop(); });
}

void Bridge::answered(Answer answer) {
  const std::uint64_t part = LinkPart::part_of(answer.number);
  answer.number = LinkPart::own_of(answer.number);
  if (part == kOwn) look_at_token(answer);
  if (part == kDoubles) doubles_.take(answer);
}

void Bridge::look_at_token(const Answer& answer) {
  if (answer.outcome != Answer::Outcome::done || !answer.result.is_array()) return;
  std::optional<base::Timestamp> end;
  for (const json::value& token : answer.result.get_array()) {
    if (!token.is_object() || !base::flag_at(token.get_object(), "is_current")) continue;
    if (const auto at = base::parse_timestamp(base::text_view_at(token.get_object(), "expire_at"))) end = *at;
  }
  status_.token_ends(end);
  token_check_ =
      home_.bus.schedule(kTokenCheck, [this] { own_link_.send(1, {{"type", "auth/refresh_tokens"}}, kAnswerLimit); });
}

void Bridge::tell_doubles() {
  std::string names;
  std::size_t count = 0;
  for (const DoubleAutomations::One& one : doubles_.list()) {
    if (!one.on_here || !one.on_there || ++count > kNamedDoubles) continue;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  if (count > kNamedDoubles) names += " …";
  status_.doubles(std::move(names));
}

json::object Bridge::diagnosis() const {
  return status_.json();
}

}  // namespace hearth::integrations::home_assistant
