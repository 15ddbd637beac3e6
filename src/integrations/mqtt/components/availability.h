// SPDX-License-Identifier: Apache-2.0
// Tells if a device is reachable, from its availability topics. Bus thread only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "integrations/mqtt/components/settings.h"

namespace hearth::integrations::mqtt {

class Availability {
 public:
  static constexpr std::size_t kMaxTopics = 32;
  enum class Mode { all, any, latest };

  struct Topic {
    std::string topic;
    std::string online = "online", offline = "offline";  // texts
    std::optional<MessageTemplate> value_template = {};
    std::optional<bool> reachable = {};  // null until a message has come
  };

  // Takes the keys in their single form, or the list `availability`, which wins. Wrong entries are dropped.
  static Availability parse(const json::object& keys, const Settings& settings, TemplateTexts& templates,
                            std::vector<DroppedKey>& dropped);

  const std::vector<Topic>& topics() const { return topics_; }
  // The topics' value before their first message: the one that was known before a restart.
  void assume(bool reachable);
  // The text that a topic sent, after its template. False if it is neither payload.
  bool receive(std::size_t index, std::string_view text);
  bool reachable() const;

 private:
  std::vector<Topic> topics_;
  Mode mode_ = Mode::latest;
  bool latest_ = false;
};

}  // namespace hearth::integrations::mqtt
