// SPDX-License-Identifier: Apache-2.0
// Finds the subscribers of a message: by hash for filters without wildcards, in a trie by level for the others. Bus
// thread only.
//
// Handlers may add and remove subscribers, including themselves. Those added while a message is passed on do not get
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/text/text_map.h"
#include "core/mqtt.h"

namespace hearth::integrations::mqtt {

class Subscriptions {
 public:
  using Handler = core::MqttBroker::Handler;
  using Id = std::uint64_t;  // higher than those before; its lowest bits are the number of the filter
  // Retained topics that a subscriber is known to have; further ones it may get twice.
  static constexpr std::size_t kMaxRetained = 100'000;

  // All subscribers of one filter.
  struct Filter {
    std::string text;
    std::uint32_t number;  // which no other has: from 1, as a subscription identifier of MQTT 5
    int qos = 0;           // the highest of its subscribers
    bool wildcards = false;
  };

  // Passes on calls of handlers; it catches what they throw. By default it does not.
  using Guard = std::function<void(const std::function<void()>& call)>;
  explicit Subscriptions(Guard guard = nullptr);
  ~Subscriptions();

  // Fails with invalid, if the filter or the quality of service is none.
  base::Result<Id> add(std::string filter, int qos, Handler handler);
  // Returns the filter if it was its last subscriber.
  std::optional<Filter> remove(Id id);
  // The filter of a subscriber. REQUIRES: it has not been removed.
  const Filter& filter_of(Id id) const;
  std::vector<Filter> filters() const;
  // Null if it has no subscriber. Valid until the next change.
  const Filter* find(std::string_view filter) const;
  std::size_t size() const { return filters_.size(); }

  // From now on, retained messages are new to all subscribers.
  void connected();
  // Passes the message to the subscribers of the filters with these numbers; if there are none, of all that match.
  void pass(const core::MqttMessage& message, std::span<const std::uint32_t> numbers = {});

 private:
  struct Subscriber;
  struct Entry;
  struct Level;

  void pass(Entry& entry, const core::MqttMessage& message, Id youngest);
  bool is_new(Subscriber& subscriber, const Entry& entry, const core::MqttMessage& message);
  void find(const Level& level, std::string_view rest, bool first);
  void insert(Entry& entry);
  void erase(const Entry& entry);
  void clean();

  Guard guard_;
  base::TextMap<std::unique_ptr<Entry>> filters_;
  std::unordered_map<std::uint32_t, Entry*> by_number_;
  std::unique_ptr<Level> root_;  // of filters with wildcards
  std::size_t with_wildcards_ = 0;
  std::vector<Entry*> found_;                    // by the message that is passed on
  std::vector<std::unique_ptr<Entry>> retired_;  // freed when no message is passed on
  std::vector<Id> removed_;                      // subscribers, likewise
  int passing_ = 0;                              // depth
  std::uint32_t last_number_ = 0;
  std::uint64_t last_subscriber_ = 0;
};

}  // namespace hearth::integrations::mqtt
