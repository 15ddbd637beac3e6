// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/trigger_watch.h"

#include <algorithm>
#include <tuple>

#include "automation/triggers/calendar_watch.h"
#include "automation/triggers/conversation_watch.h"
#include "automation/triggers/delegated_watch.h"
#include "automation/triggers/event_watch.h"
#include "automation/triggers/hub_watch.h"
#include "automation/triggers/mqtt_watch.h"
#include "automation/triggers/place_watches.h"
#include "automation/triggers/purpose_watch.h"
#include "automation/triggers/state_watches.h"
#include "automation/triggers/template_watch.h"
#include "automation/triggers/time_watch.h"
#include "automation/triggers/webhook_watch.h"
#include "base/log/log.h"

namespace hearth::automation {

std::unique_ptr<TriggerWatch> TriggerWatch::create(const Trigger& trigger, Home& home, templates::Variables variables,
                                                   std::string place, Fire fire, std::optional<std::uint64_t> since) {
  struct Creator {
    std::unique_ptr<TriggerWatch> operator()(const StateTrigger&) {
      return std::make_unique<StateWatch>(trigger, home, std::move(variables), std::move(place), std::move(fire),
                                          since);
    }
    std::unique_ptr<TriggerWatch> operator()(const NumericTrigger&) {
      return std::make_unique<NumericWatch>(trigger, home, std::move(variables), std::move(place), std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const TemplateTrigger&) {
      return std::make_unique<TemplateWatch>(trigger, home, std::move(variables), std::move(place), std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const EventTrigger&) {
      return std::make_unique<EventWatch>(trigger, home, std::move(fire), since);
    }
    std::unique_ptr<TriggerWatch> operator()(const TimeTrigger&) {
      return std::make_unique<TimeWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const PatternTrigger&) {
      return std::make_unique<TimeWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const SunTrigger&) {
      return std::make_unique<TimeWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const MqttTrigger&) {
      return std::make_unique<MqttWatch>(trigger, home, std::move(variables), std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const WebhookTrigger&) {
      return std::make_unique<WebhookWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const HubTrigger&) {
      return std::make_unique<HubWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const ZoneTrigger&) {
      return std::make_unique<ZoneWatch>(trigger, home, std::move(fire), since);
    }
    std::unique_ptr<TriggerWatch> operator()(const NotificationTrigger&) {
      return std::make_unique<NotificationWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const CalendarTrigger&) {
      return std::make_unique<CalendarWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const ConversationTrigger&) {
      return std::make_unique<ConversationWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const DeviceTrigger&) {
      return std::make_unique<DeviceWatch>(trigger, home, std::move(variables), std::move(place), std::move(fire),
                                           since);
    }
    std::unique_ptr<TriggerWatch> operator()(const DelegatedTrigger&) {
      return std::make_unique<DelegatedWatch>(trigger, home, std::move(fire));
    }
    std::unique_ptr<TriggerWatch> operator()(const PurposeTrigger&) {
      return std::make_unique<PurposeWatch>(trigger, home, std::move(variables), std::move(place), std::move(fire),
                                            since);
    }

    const Trigger& trigger;
    Home& home;
    templates::Variables variables;
    std::string place;
    Fire fire;
    std::optional<std::uint64_t> since;
  };
  return std::visit(Creator{trigger, home, std::move(variables), std::move(place), std::move(fire), since},
                    trigger.kind);
}

void TriggerWatch::keep_last(std::vector<MissedTime>& times, std::size_t most) {
  for (std::size_t place = 0; place < times.size(); ++place) times[place].place = place;
  std::ranges::sort(times, {}, [](const MissedTime& each) { return std::tie(each.due, each.place); });
  if (times.size() > most) times.erase(times.begin(), times.end() - static_cast<std::ptrdiff_t>(most));
}

std::string trigger_name(const templates::VariablesView& variables) {
  const templates::Value* const self = variables.find("this");
  if (!self || self->is_none()) return "a trigger";
  const templates::Value id = templates::attribute_of(*self, "entity_id");
  return id.is_text() ? "a trigger of " + std::string(id.text()) : "a trigger";
}

std::optional<base::Duration> held_time(const Home& home, const Moment& moment, const DurationData& held,
                                        const templates::VariablesView& variables, templates::Value trigger) {
  const templates::Variables own{{"trigger", std::move(trigger)}};
  const auto time = held.evaluate(moment.renderer(), {own, variables});
  if (time) return *time;
  home.complain(trigger_name(variables) + " does not fire", time.error().message);
  return {};
}

templates::Value trigger_value(const Trigger& trigger, FiringFacts facts) {
  using templates::Value;
  templates::Dict dict;
  dict.set("platform", Value(trigger.platform));
  dict.set("id", Value(trigger.id));
  dict.set("idx", Value(std::to_string(trigger.index)));
  dict.set("alias", trigger.alias.empty() ? Value() : Value(trigger.alias));
  for (auto& [key, value] : facts) dict.set(Value(key), std::move(value));
  return Value::dict(std::move(dict));
}

}  // namespace hearth::automation
