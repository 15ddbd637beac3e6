// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/subscriptions.h"

#include <algorithm>

#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr int kNumberBits = 28;
constexpr std::uint32_t kMaxNumber = (1u << kNumberBits) - 1;  // 268,435,455: of MQTT 5 §3.8.2.1.2

std::uint32_t number_in(Subscriptions::Id id) {
  return static_cast<std::uint32_t>(id & kMaxNumber);
}

// The part before the next slash, which is removed with it; `last` if there is no slash.
std::string_view next_level(std::string_view& rest, bool& last) {
  const auto slash = rest.find('/');
  last = slash == std::string_view::npos;
  const std::string_view level = rest.substr(0, slash);
  rest = last ? std::string_view() : rest.substr(slash + 1);
  return level;
}

}  // namespace

struct Subscriptions::Subscriber {
  Handler handler;
  bool removed = false;   // while a message was passed on
  bool informed = false;  // without wildcards: it has had a message in this connection
  // With wildcards: hashes of topics whose retained message it has; null if there is none.
  std::unique_ptr<std::unordered_set<std::size_t>> retained = nullptr;
};

struct Subscriptions::Entry {
  Filter filter;
  std::map<Id, Subscriber> subscribers;  // by age
  std::size_t remaining = 0;             // of those, not removed
};

struct Subscriptions::Level {
  base::TextMap<std::unique_ptr<Level>> children;  // + among them
  Entry* here = nullptr;                           // the filter that ends here
  Entry* rest = nullptr;                           // the one that ends here with #
};

Subscriptions::Subscriptions(Guard guard) : guard_(std::move(guard)), root_(std::make_unique<Level>()) {}
Subscriptions::~Subscriptions() = default;

base::Result<Subscriptions::Id> Subscriptions::add(std::string filter, int qos, Handler handler) {
  if (auto checked = check_filter(filter); !checked) return std::unexpected(checked.error());
  if (auto checked = check_qos(qos); !checked) return std::unexpected(checked.error());
  auto found = filters_.find(filter);
  if (found == filters_.end()) {
    auto entry = std::make_unique<Entry>();
    do {
      last_number_ = last_number_ % kMaxNumber + 1;
    } while (by_number_.contains(last_number_));
    entry->filter = {filter, last_number_, qos, filter.find_first_of("+#") != std::string::npos};
    by_number_.emplace(last_number_, entry.get());
    if (entry->filter.wildcards) insert(*entry);
    found = filters_.emplace(std::move(filter), std::move(entry)).first;
  }
  Entry& entry = *found->second;
  entry.filter.qos = std::max(entry.filter.qos, qos);
  const Id id = ++last_subscriber_ << kNumberBits | entry.filter.number;
  entry.subscribers.emplace(id, Subscriber{std::move(handler)});
  ++entry.remaining;
  return id;
}

std::optional<Subscriptions::Filter> Subscriptions::remove(Id id) {
  const auto known = by_number_.find(number_in(id));
  if (known == by_number_.end()) return {};
  Entry& entry = *known->second;
  const auto found = entry.subscribers.find(id);
  if (found == entry.subscribers.end() || found->second.removed) return {};
  // Its destructor may come back here, so it runs last.
  std::map<Id, Subscriber>::node_type subscriber;
  if (passing_ == 0) {
    subscriber = entry.subscribers.extract(found);
  } else {
    // A message may be on its way through this list, or in this handler.
    found->second.removed = true;
    removed_.push_back(id);
  }
  if (--entry.remaining > 0) return {};
  const Filter last = entry.filter;
  erase(entry);
  return last;
}

const Subscriptions::Filter& Subscriptions::filter_of(Id id) const {
  return by_number_.at(number_in(id))->filter;
}

std::vector<Subscriptions::Filter> Subscriptions::filters() const {
  std::vector<Filter> all;
  all.reserve(filters_.size());
  for (const auto& [text, entry] : filters_) all.push_back(entry->filter);
  std::ranges::sort(all, {}, &Filter::number);
  return all;
}

const Subscriptions::Filter* Subscriptions::find(std::string_view filter) const {
  const auto found = filters_.find(filter);
  return found == filters_.end() ? nullptr : &found->second->filter;
}

void Subscriptions::connected() {
  for (const auto& [text, entry] : filters_) {
    for (auto& [id, subscriber] : entry->subscribers) {
      subscriber.informed = false;
      subscriber.retained.reset();
    }
  }
}

void Subscriptions::pass(const core::MqttMessage& message, std::span<const std::uint32_t> numbers) {
  // A handler may make the broker pass on another message, though none does today.
  std::vector<Entry*> found = std::exchange(found_, {});
  found_.clear();
  if (!numbers.empty()) {
    for (const std::uint32_t number : numbers) {
      const auto entry = by_number_.find(number);
      if (entry != by_number_.end()) found_.push_back(entry->second);
    }
  } else {
    const auto exact = filters_.find(message.topic());
    if (exact != filters_.end()) found_.push_back(exact->second.get());
    if (with_wildcards_ > 0) find(*root_, message.topic(), true);
  }
  found.swap(found_);
  ++passing_;
  const Id youngest = last_subscriber_ << kNumberBits | kMaxNumber;
  for (Entry* const entry : found) pass(*entry, message, youngest);
  if (--passing_ == 0) clean();
  found.clear();
  found_ = std::move(found);
}

void Subscriptions::pass(Entry& entry, const core::MqttMessage& message, Id youngest) {
  for (auto& [id, subscriber] : entry.subscribers) {
    if (id > youngest) return;
    if (subscriber.removed || !is_new(subscriber, entry, message)) continue;
    if (guard_)
      guard_([&] { subscriber.handler(message); });
    else
      subscriber.handler(message);
  }
}

// Retained messages come again for all if somebody else subscribes.
bool Subscriptions::is_new(Subscriber& subscriber, const Entry& entry, const core::MqttMessage& message) {
  if (!entry.filter.wildcards) {
    const bool knows = std::exchange(subscriber.informed, true);
    return !message.retain() || !knows;
  }
  if (!message.retain()) return true;
  if (!subscriber.retained) subscriber.retained = std::make_unique<std::unordered_set<std::size_t>>();
  if (subscriber.retained->size() >= kMaxRetained) return true;
  return subscriber.retained->insert(std::hash<std::string_view>()(message.topic())).second;
}

void Subscriptions::find(const Level& level, std::string_view rest, bool first) {
  bool last;
  const std::string_view name = next_level(rest, last);
  // Wildcards do not match the broker's own topics (MQTT 5 §4.7.2).
  const bool own = first && name.starts_with('$');
  if (level.rest && !own) found_.push_back(level.rest);
  for (const std::string_view key : {name, std::string_view("+")}) {
    if (key == "+" && own) continue;
    const auto child = level.children.find(key);
    if (child == level.children.end()) continue;
    const Level& next = *child->second;
    if (!last) {
      find(next, rest, false);
      continue;
    }
    if (next.here) found_.push_back(next.here);
    if (next.rest) found_.push_back(next.rest);
  }
}

void Subscriptions::insert(Entry& entry) {
  ++with_wildcards_;
  Level* level = root_.get();
  std::string_view rest = entry.filter.text;
  for (bool last = false; !last;) {
    const std::string_view name = next_level(rest, last);
    if (name == "#") {
      level->rest = &entry;
      return;
    }
    auto& child = level->children[std::string(name)];
    if (!child) child = std::make_unique<Level>();
    level = child.get();
  }
  level->here = &entry;
}

void Subscriptions::erase(const Entry& entry) {
  by_number_.erase(entry.filter.number);
  if (entry.filter.wildcards) {
    --with_wildcards_;
    // Back from the end of the filter, as long as a level leads nowhere else.
    std::vector<std::pair<Level*, std::string>> way;
    Level* level = root_.get();
    std::string_view rest = entry.filter.text;
    for (bool last = false; !last;) {
      const std::string_view name = next_level(rest, last);
      if (name == "#") {
        level->rest = nullptr;
        break;
      }
      way.emplace_back(level, name);
      level = level->children.find(name)->second.get();
      if (last) level->here = nullptr;
    }
    while (!way.empty() && level->children.empty() && !level->here && !level->rest) {
      level = way.back().first;
      level->children.erase(way.back().second);
      way.pop_back();
    }
  }
  const auto found = filters_.find(entry.filter.text);
  if (passing_ > 0) retired_.push_back(std::move(found->second));
  filters_.erase(found);
}

void Subscriptions::clean() {
  // Their destructors may come back here.
  std::vector<std::map<Id, Subscriber>::node_type> subscribers;
  for (const Id id : std::exchange(removed_, {})) {
    const auto found = by_number_.find(number_in(id));
    if (found != by_number_.end()) subscribers.push_back(found->second->subscribers.extract(id));
  }
  const auto entries = std::exchange(retired_, {});
}

}  // namespace hearth::integrations::mqtt
