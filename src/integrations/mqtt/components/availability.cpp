// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/availability.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::integrations::mqtt {
namespace {

constexpr Key kEntry[] = {
    {.name = "topic", .type = field::TopicFilter{}, .required = true},
    {.name = "payload_available", .type = field::Payload{}, .fallback = "online"},
    {.name = "payload_not_available", .type = field::Payload{}, .fallback = "offline"},
    {.name = "value_template", .type = field::Template{}},
};

// The topic of settings with these keys.
Availability::Topic topic_of(const Settings& settings, std::string_view topic_key, std::string_view template_key) {
  Availability::Topic topic{.topic = std::string(settings.text(topic_key)),
                            .online = std::string(settings.text("payload_available")),
                            .offline = std::string(settings.text("payload_not_available"))};
  if (const MessageTemplate* const compiled = settings.compiled(template_key)) topic.value_template = *compiled;
  return topic;
}

}  // namespace

Availability Availability::parse(const json::object& keys, const Settings& settings, TemplateTexts& templates,
                                 std::vector<DroppedKey>& dropped) {
  Availability availability;
  const std::string_view mode = settings.text("availability_mode");
  availability.mode_ = mode == "all" ? Mode::all : mode == "any" ? Mode::any : Mode::latest;
  const json::value* const list = keys.if_contains("availability");
  if (!list || list->is_null()) {
    if (settings.has("availability_topic") && !settings.broken("availability_template"))
      availability.topics_.push_back(topic_of(settings, "availability_topic", "availability_template"));
    return availability;
  }
  if (settings.has("availability_topic"))
    dropped.push_back({"availability_topic", "expected either this or availability, got both"});
  if (!list->is_array()) {
    dropped.push_back({"availability", "expected a list"});
    return availability;
  }
  for (const json::value& entry : list->get_array()) {
    std::vector<DroppedKey> wrong;
    auto read = entry.is_object() ? Settings::read(kEntry, entry.get_object(), templates, wrong)
                                  : base::fail(base::ErrorCode::invalid, "expected an object");
    if (availability.topics_.size() == kMaxTopics)
      read = base::fail(base::ErrorCode::invalid, fmt::format("expected at most {} topics", kMaxTopics));
    for (DroppedKey& each : wrong) dropped.push_back({"availability." + each.key, std::move(each.reason)});
    if (!read)
      dropped.push_back({"availability", read.error().message});
    else if (!read->broken("value_template"))
      availability.topics_.push_back(topic_of(*read, "topic", "value_template"));
  }
  return availability;
}

void Availability::assume(bool reachable) {
  for (Topic& topic : topics_) topic.reachable = reachable;
  latest_ = reachable;
}

bool Availability::receive(std::size_t index, std::string_view text) {
  Topic& topic = topics_[index];
  if (text != topic.online && text != topic.offline) return false;
  topic.reachable = text == topic.online;
  latest_ = *topic.reachable;
  return true;
}

bool Availability::reachable() const {
  const auto says = [](const Topic& topic) { return topic.reachable.value_or(false); };
  if (topics_.empty()) return true;
  if (mode_ == Mode::all) return std::ranges::all_of(topics_, says);
  if (mode_ == Mode::any) return std::ranges::any_of(topics_, says);
  return latest_;
}

}  // namespace hearth::integrations::mqtt
