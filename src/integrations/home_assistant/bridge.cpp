// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/bridge.h"

#include <algorithm>
#include <map>
#include <type_traits>
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

Bridge::Bridge(const domains::IntegrationHome& home, const Options& options, std::shared_ptr<Instances> instances)
    : home_(home),
      options_(options),
      instances_(std::move(instances)),
      status_(home_, options_),
      connection_(std::make_unique<HubConnection>(*home_.reactor, home_.bus, options_,
                                                  home_.hub.config.load()->language,
                                                  [this](News news) { take(std::move(news)); })),
      requests_(*connection_),
      contexts_(home_.hub),
      addresses_(home_.hub, options_),
      mirror_(home_, options_, contexts_, *connection_, &addresses_),
      doubles_(home_, requests_, [this] { tell_doubles(); }) {
  mirror_.start();
  calls_.emplace(CallsHome{.hub = home_.hub,
                           .bus = home_.bus,
                           .requests = requests_,
                           .ids = mirror_.ids(),
                           .options = options_,
                           .contexts = contexts_,
                           .rights_missing = [this](bool missing) { status_.rights_missing(missing); }},
                 instances_->services());
  media_.emplace(home_, options_, mirror_.ids(), requests_, addresses_);
  instances_->add(*this);
}

Bridge::~Bridge() {
  end_parts();
}

void Bridge::end_parts() {
  instances_->remove(*this);
  token_check_ = {};
  probe_.reset();
  media_.reset();
  calls_.reset();
}

void Bridge::stop() {
  end_ = {};
  end_parts();
  mirror_.stop();
  connection_.reset();
}

// In a later turn, because this is within a call of the connection.
void Bridge::give_up() {
  end_parts();
  end_ = home_.bus.schedule(base::Duration(0), [this] {
    mirror_.stop();
    connection_.reset();
  });
}

void Bridge::reconnect() {
  if (connection_) connection_->reconnect();
}

void Bridge::take(News news) {
  if (!calls_) return;
  std::visit(
      [this]<class Kind>(Kind& one) {
        if constexpr (std::is_same_v<Kind, Opened>) {
          opened(one);
        } else if constexpr (std::is_same_v<Kind, Registries>) {
          note_ids(one);
          if (!is_twice()) mirror_.take(std::move(one));
        } else if constexpr (std::is_same_v<Kind, Services>) {
          status_.services(one.services.size());
          calls_->take(one);
        } else if constexpr (std::is_same_v<Kind, Picture>) {
          if (is_twice()) return;  // the other one may have come at the same time
          status_.pictured(one.running);
          calls_->take(one);
          if (one.running) media_->running();
          doubles_.take(one);
          mirror_.take(std::move(one));
        } else if constexpr (std::is_same_v<Kind, Running>) {
          status_.running();
          calls_->take(one);
          media_->running();
          mirror_.take(one);
        } else if constexpr (std::is_same_v<Kind, Changes>) {
          status_.changed(one.changes.size());
          doubles_.take(one);
          mirror_.take(std::move(one));
        } else if constexpr (std::is_same_v<Kind, OtherEvent>) {
          calls_->take(one);
        } else if constexpr (std::is_same_v<Kind, Answer>) {
          requests_.receive(one);
          mirror_.contexts_changed();
        } else if constexpr (std::is_same_v<Kind, Message>) {
          requests_.receive(one);
        } else if constexpr (std::is_same_v<Kind, Lost>) {
          requests_.receive(one);
          calls_->lost();
          media_->lost();
          mirror_.lost();
          status_.lost(one);
          token_check_ = {};
        } else if constexpr (std::is_same_v<Kind, Latency>) {
          status_.measured(one);
          doubles_.look();
          mirror_.take(one);
        }
      },
      news);
}

void Bridge::opened(const Opened& news) {
  status_.opened(news.hub);
  if (!news.hub.uuid.empty() && news.hub.uuid == home_.hub.config.load()->uuid) {
    status_.is_self();
    return give_up();
  }
  mirror_.connected(news.hub);
  calls_->take(news);
  media_->connected();
  ask_for_token();
}

void Bridge::note_ids(const Registries& registries) {
  first_ids_.clear();
  for (const OtherEntity& entity : registries.entities) {
    if (first_ids_.size() == kCompared) break;
    if (!entity.id.empty()) first_ids_.push_back(entity.id);
  }
}

bool Bridge::is_twice() {
  const auto registry = home_.hub.registry.snapshot();
  std::map<std::string_view, std::size_t> known;  // by provider
  const std::size_t compared = first_ids_.size();
  for (const std::string& id : first_ids_) {
    const auto* const here = registry->find_entity_by_id(id);
    if (here && here->provider != mirror_.provider() && here->provider.starts_with("home_assistant."))
      ++known[here->provider];
  }
  for (const auto& [provider, count] : known) {
    if (count * 2 <= compared) continue;
    status_.is_twice(std::string(provider.substr(provider.find('.') + 1)));
    give_up();
    return true;
  }
  return false;
}

void Bridge::ask_for_token() {
  requests_.ask({{"type", "auth/refresh_tokens"}}, kAnswerLimit, [this](const Answer& answer) {
    look_at_token(answer);
    token_check_ = home_.bus.schedule(kTokenCheck, [this] { ask_for_token(); });
  });
}

void Bridge::look_at_token(const Answer& answer) {
  if (answer.outcome != Answer::Outcome::done || !answer.result.is_array()) return;
  std::optional<base::Timestamp> end;
  for (const json::value& token : answer.result.get_array()) {
    if (!token.is_object() || !base::flag_at(token.get_object(), "is_current")) continue;
    if (const auto at = base::parse_timestamp(base::text_view_at(token.get_object(), "expire_at"))) end = *at;
  }
  status_.token_ends(end);
}

void Bridge::tell_doubles() {
  std::string names;
  std::size_t count = 0;
  for (const DoubleAutomations::One& one : doubles_.list()) {
    if (!one.on_here || !one.on_there || ++count > kNamedDoubles) continue;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  if (count > kNamedDoubles) names += ", …";
  status_.doubles(std::move(names));
}

}  // namespace hearth::integrations::home_assistant
