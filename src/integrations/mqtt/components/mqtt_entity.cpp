// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/mqtt_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/log/log_scope.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "integrations/mqtt/components/component.h"

namespace hearth::integrations::mqtt {
namespace {

// Attributes that a topic cannot replace: they belong to the entity or to its registry entry.
constexpr std::string_view kReserved[] = {"state",
                                          "name",
                                          "friendly_name",
                                          "device_class",
                                          "icon",
                                          "unique_id",
                                          "unit_of_measurement",
                                          "supported_features",
                                          "entity_id",
                                          "entity_picture",
                                          "restored",
                                          "assumed_state"};
constexpr std::size_t kMaxReason = 200;  // bytes of a payload in the log

std::string in_quotes(std::string_view text) {
  return base::utf8_excerpt(base::utf8_repaired(text), kMaxReason);
}

// True if the device is commanded and does not say what it does.
bool is_assumed(const Component& component, const Settings& settings) {
  const auto has_key = [&](std::string_view key) {
    return std::ranges::find(component.keys, key, &Key::name) != component.keys.end();
  };
  if (!has_key("command_topic") || !has_key("state_topic") || component.kind->domain == "update") return false;
  return settings.boolean("optimistic") || !settings.has_any("state_topic position_topic");
}

}  // namespace

MqttEntity::MqttEntity(EntityHome& home, EntityPlan plan)
    : home_(home),
      component_(*plan.component),
      settings_(std::move(plan.settings)),
      availability_(std::move(plan.availability)),
      planned_(std::make_unique<domains::EntityInfo>(std::move(plan.info))) {
  longest_ = std::ranges::any_of(component().readings, &Reading::raw) ? core::MqttBroker::kMaxPayload : kMaxMessage;
  if (const std::string_view picture = settings().text("entity_picture"); !picture.empty())
    fixed_attributes_["entity_picture"] = picture;
  if (is_assumed(component_, settings_)) fixed_attributes_["assumed_state"] = true;
}

MqttEntity::~MqttEntity() {
  unsubscribe();
}

void MqttEntity::unsubscribe() {
  home_.subscriptions -= subscriptions_.size();
  subscriptions_.clear();
}

base::Result<void> MqttEntity::start() {
  const auto registry = home_.hub.registry.snapshot();
  const auto* const known = registry->find_entity(info().integration, component().kind->domain, info().unique_id);
  const core::StatePtr last = known ? home_.hub.states.find(known->entity_id) : nullptr;
  const bool was_available = last && last->value() != core::kUnavailable;
  availability_.assume(was_available);
  const double expire_after = settings().number("expire_after");
  if (expire_after > 0) {
    const auto life = base::Duration(static_cast<std::int64_t>(expire_after * 1e6));
    const auto age = last ? home_.hub.clock.now() - last->last_updated() : life;
    expired_ = last && (!was_available || age >= life);
    if (last && !expired_) expire(life - age);
  }
  domains::EntityInfo info = *planned_;
  info.available = home_.connected && !expired_ && availability_.reachable();
  const core::StatePtr before = last && !was_available ? home_.last_values.find(key(), *last) : last;
  auto made = make(std::move(info), before ? before.get() : last.get());
  follow_members();
  json::object attributes = fixed_attributes_;
  if (before && before->value() != core::kUnavailable && settings().has("json_attributes_topic")) {
    for (const auto& [name, value] : before->attributes()) {
      if (std::ranges::find(kReserved, std::string_view(name)) == std::end(kReserved) &&
          !component().kind->find_attribute(name))
        attributes.emplace(name, value);
    }
  }
  made->set_extra_attributes(std::move(attributes));
  auto added = home_.domains.entities().add(std::move(made));
  if (!added) return std::unexpected(added.error());
  entity_ = *added;
  planned_.reset();
  if (was_available) keep_value(*last);
  listen_to_availability();
  listen_to_attributes();
  listen_to_all();
  return {};
}

// The group's members by their unique ids, which may be described later, or get another id.
void MqttEntity::follow_members() {
  const json::array& members = settings().texts("group");
  if (members.empty()) return;
  fixed_attributes_["entity_id"] = member_ids();
  registry_updates_ = home_.bus.listen(core::event_type::kEntityRegistryUpdated, [this](const core::Event&) {
    json::array ids = member_ids();
    if (!entity_ || ids == fixed_attributes_["entity_id"]) return;
    fixed_attributes_["entity_id"] = std::move(ids);
    entity_->set_extra_attributes(with_fixed(entity_->extra_attributes()));
    entity_->refresh();
  });
}

json::array MqttEntity::member_ids() const {
  const auto registry = home_.hub.registry.snapshot();
  json::array ids;
  for (const json::value& member : settings().texts("group")) {
    // Most groups are of their own kind.
    for (const std::string_view domain :
         {component().kind->domain, std::string_view("light"), std::string_view("switch"), std::string_view("cover"),
          std::string_view("lock")}) {
      const core::RegisteredEntity* const found =
          registry->find_entity(info().integration, domain, std::string_view(member.get_string()));
      if (!found) continue;
      ids.emplace_back(found->entity_id);
      break;
    }
  }
  return ids;
}

void MqttEntity::stop() {
  unsubscribe();
  registry_updates_ = {};
  expiry_ = {};
}

void MqttEntity::withdraw() {
  stop();
  if (entity_) home_.domains.entities().withdraw(entity_id());
  entity_ = nullptr;
}

void MqttEntity::remove() {
  stop();
  home_.last_values.forget(key());
  if (entity_) home_.domains.entities().remove(entity_id());
  entity_ = nullptr;
}

void MqttEntity::complain_length(const core::MqttMessage& message) {
  complain("length", fmt::format("expected a message of at most {} KiB, got {} bytes on {}", longest_ / 1024,
                                 message.payload().size(), in_quotes(message.topic())));
}

void MqttEntity::complain(std::string_view what, std::string_view message) {
  const base::LogScope own({.entity = entity_id()});
  home_.complaints.note(entity_id(), what, message);
}

templates::Value MqttEntity::this_state() const {
  const core::StatePtr state = home_.hub.states.find(entity_id());
  if (!state) return {};
  return templates::Value::from_json(json::value{{"entity_id", state->entity_id()},
                                                 {"state", state->value()},
                                                 {"attributes", state->attributes()},
                                                 {"last_changed", base::to_string(state->last_changed())},
                                                 {"last_updated", base::to_string(state->last_updated())}});
}

std::optional<std::string> MqttEntity::render(const MessageTemplate& compiled, std::string_view what,
                                              const core::MqttMessage& message) {
  templates::Variables variables;
  variables.reserve(5);
  variables.emplace_back("value", message.payload());
  if (const json::value* const parsed = message.json()) variables.emplace_back("value_json", shared_json(*parsed));
  variables.emplace_back("entity_id", entity_id());
  variables.emplace_back("name", info().name);
  if (compiled.wants_this) variables.emplace_back("this", this_state());
  auto text = home_.templates.render(compiled, variables);
  if (!text) {
    // The filter is_defined asks for messages without the value to be ignored.
    if (!text.error().expected)
      complain(what, fmt::format("{} (the message was {})", text.error().message, in_quotes(message.payload())));
    return {};
  }
  return std::move(*text);
}

std::optional<std::string> MqttEntity::rendered(std::string_view template_key, const core::MqttMessage& message) {
  const MessageTemplate* const compiled = settings().compiled(template_key);
  if (compiled) return render(*compiled, template_key, message);
  if (base::utf8_length(message.payload())) return message.payload();
  complain("encoding", "the message is not UTF-8");
  return {};
}

void MqttEntity::send(std::string_view topic_key, std::string payload) {
  const core::MqttMessage message(std::string(settings().text(topic_key)), std::move(payload),
                                  static_cast<int>(settings().number("qos")), settings().boolean("retain"),
                                  home_.hub.clock.now());
  const auto done = home_.broker.publish(message.topic(), message.payload(), message.qos(), message.retain());
  if (!done) throw std::runtime_error(done.error().message);
  home_.sent.note(message);
}

void MqttEntity::send(std::string_view topic_key, std::string_view template_key, std::string value,
                      templates::Variables others) {
  if (!settings().compiled(template_key)) return send(topic_key, std::move(value));
  send_made(topic_key, template_key, std::move(value), std::move(others));
}

void MqttEntity::send(std::string_view topic_key, std::string_view template_key, double value,
                      templates::Variables others) {
  if (!settings().compiled(template_key)) return send(topic_key, number_text(value));
  send_made(topic_key, template_key, template_value(value), std::move(others));
}

void MqttEntity::send_made(std::string_view topic_key, std::string_view template_key, templates::Value value,
                           templates::Variables others) {
  const MessageTemplate& compiled = *settings().compiled(template_key);
  others.emplace_back("value", std::move(value));
  others.emplace_back("entity_id", entity_id());
  others.emplace_back("name", info().name);
  if (compiled.wants_this) others.emplace_back("this", this_state());
  auto text = home_.templates.render(compiled, others);
  if (!text) throw std::runtime_error(fmt::format("{}: {}", template_key, text.error().message));
  if (!text->empty()) send(topic_key, std::move(*text));
}

core::Timer MqttEntity::schedule(base::Duration delay, std::function<void()> task) {
  return home_.bus.schedule(delay, std::move(task));
}

std::vector<std::string_view> MqttEntity::topics_of(std::string_view topic_key) const {
  std::vector<std::string_view> topics;
  const std::string_view topic = settings().text(topic_key);
  if (topic.empty()) return topics;
  if (topic_key == "state_topic" || topic_key == "position_topic" || topic_key.ends_with("_state_topic")) {
    for (const json::value& also : settings().texts("also_topics")) topics.emplace_back(also.get_string());
  }
  topics.push_back(topic);
  return topics;
}

bool MqttEntity::accepts(const core::MqttMessage& message) {
  home_.received.note(message);
  if (message.payload().size() <= longest_) return true;
  complain_length(message);
  return false;
}

void MqttEntity::add_subscription(std::string_view what, std::string_view topic, core::MqttBroker::Handler handler) {
  auto subscription =
      home_.broker.subscribe(std::string(topic), static_cast<int>(settings().number("qos")), std::move(handler));
  if (!subscription) return complain(what, subscription.error().message);
  subscriptions_.push_back(std::move(*subscription));
  ++home_.subscriptions;
  if (std::ranges::find(topics_read_, topic) == topics_read_.end()) topics_read_.push_back(topic);
}

std::vector<std::string> MqttEntity::topics_written() const {
  std::vector<std::string> topics;
  for (const Key& key : component().keys) {
    const std::string_view topic =
        std::holds_alternative<field::Topic>(key.type) ? settings().text(key.name) : std::string_view();
    if (!topic.empty() && std::ranges::find(topics, topic) == topics.end()) topics.emplace_back(topic);
  }
  return topics;
}

void MqttEntity::listen_to_availability() {
  for (std::size_t index = 0; index < availability_.topics().size(); ++index) {
    const auto receive = [this, index](const core::MqttMessage& message) {
      const Availability::Topic& topic = availability_.topics()[index];
      const auto text = topic.value_template ? render(*topic.value_template, "availability", message)
                                             : std::optional(message.payload());
      if (!text || text->empty()) return;
      if (!availability_.receive(index, *text)) {
        return complain("availability",
                        fmt::format("expected {} or {}, got {}", topic.online, topic.offline, in_quotes(*text)));
      }
      update_availability();
    };
    subscribe("availability", availability_.topics()[index].topic, receive);
  }
}

void MqttEntity::listen_to_attributes() {
  if (settings().broken("json_attributes_template")) return;
  listen("json_attributes_topic", [this](const core::MqttMessage& message) { receive_attributes(message); });
}

void MqttEntity::receive_attributes(const core::MqttMessage& message) {
  const json::value* object = message.json();
  base::Result<json::value> parsed{json::value()};
  if (settings().compiled("json_attributes_template")) {
    const auto text = rendered("json_attributes_template", message);
    if (!text || text->empty()) return;
    parsed = base::parse_json(*text);
    object = parsed ? &*parsed : nullptr;
  }
  const std::size_t most = home_.hub.limits.attributes_bytes / 2;  // others share it
  if (message.payload().size() > most) {
    return complain("json_attributes_topic",
                    fmt::format("expected at most {} bytes, got {}", most, message.payload().size()));
  }
  if (!object || !object->is_object())
    return complain("json_attributes_topic",
                    fmt::format("expected a JSON object, got {}", in_quotes(message.payload())));
  show_attributes(object->get_object());
}

json::object MqttEntity::with_fixed(json::object attributes) const {
  for (const std::string_view name : kReserved) attributes.erase(name);
  for (const auto& [name, value] : fixed_attributes_) attributes[name] = value;
  return attributes;
}

void MqttEntity::show_attributes(json::object attributes) {
  attributes = with_fixed(std::move(attributes));
  if (!entity_ || attributes == entity_->extra_attributes()) return;
  entity_->set_extra_attributes(std::move(attributes));
  entity_->refresh();
}

void MqttEntity::heard() {
  const double expire_after = settings().number("expire_after");
  if (expire_after <= 0) return;
  expire(base::Duration(static_cast<std::int64_t>(expire_after * 1e6)));
  if (!std::exchange(expired_, false)) return;
  update_availability();
}

void MqttEntity::expire(base::Duration after) {
  expiry_ = home_.bus.schedule(after, [this] {
    expired_ = true;
    update_availability();
  });
}

void MqttEntity::update_availability() {
  if (!entity_) return;
  const core::StatePtr before = home_.hub.states.find(entity_id());
  entity_->set_available(home_.connected && !expired_ && availability_.reachable());
  if (before && before->value() != core::kUnavailable) keep_value(*before);
}

void MqttEntity::keep_value(const core::State& before) {
  const core::StatePtr now = home_.hub.states.find(entity_id());
  if (now && now->value() == core::kUnavailable) home_.last_values.keep(key(), before, *now);
}

std::string MqttEntity::key() const {
  return fmt::format("{} {}", component().kind->domain, info().unique_id);
}

}  // namespace hearth::integrations::mqtt
