// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/subscriptions.h"

#include <gtest/gtest.h>

#include <random>

#include "integrations/mqtt/connection/test_broker.h"

namespace hearth::integrations::mqtt {
namespace {

// Which of the filters get a message of this topic, in their order.
std::string who_gets(const std::vector<std::string>& filters, const std::string& topic) {
  Subscriptions all;
  std::map<std::string, int> got;
  for (const auto& filter : filters)
    EXPECT_TRUE(all.add(filter, 0, [&, filter](const core::MqttMessage&) { ++got[filter]; }));
  all.pass(core::MqttMessage(topic, "", 0, false, {}));
  std::string text;
  for (const auto& filter : filters) {
    for (int i = 0; i < got[filter]; ++i) text += (text.empty() ? "" : " ") + filter;
  }
  return text;
}

TEST(Subscriptions, WildcardsMatchLevels) {
  const std::vector<std::string> filters = {"a/b", "a/+", "+/b", "a/#", "#", "a/b/#", "+", "a/+/c", "/+", "+/+"};
  EXPECT_EQ(who_gets(filters, "a/b"), "a/b a/+ +/b a/# # a/b/# +/+");
  EXPECT_EQ(who_gets(filters, "a"), "a/# # +");
  EXPECT_EQ(who_gets(filters, "a/b/c"), "a/# # a/b/# a/+/c");
  EXPECT_EQ(who_gets(filters, "/b"), "+/b # /+ +/+");
  EXPECT_EQ(who_gets(filters, "a/"), "a/+ a/# # +/+");
}

TEST(Subscriptions, WildcardsDoNotMatchTheBrokersOwnTopics) {
  EXPECT_EQ(who_gets({"#", "+/load", "$SYS/#", "$SYS/+"}, "$SYS/load"), "$SYS/# $SYS/+");
}

// By MQTT 5 §4.7, level by level.
bool matches(std::span<const std::string> filter, std::span<const std::string> topic) {
  if (filter.empty()) return topic.empty();
  if (filter[0] == "#") return true;
  if (topic.empty() || (filter[0] != "+" && filter[0] != topic[0])) return false;
  return matches(filter.subspan(1), topic.subspan(1));
}
bool matches(const std::string& filter, const std::string& topic) {
  const bool own = topic.starts_with('$') && (filter.starts_with('+') || filter.starts_with('#'));
  const auto levels = [](const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
      if (c == '/')
        parts.emplace_back();
      else
        parts.back() += c;
    }
    return parts;
  };
  return !own && matches(std::span<const std::string>(levels(filter)), levels(topic));
}

TEST(Subscriptions, MatchAsTheStandardSays) {
  std::mt19937 random(1);
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(*(words.begin() + random() % words.size()));
  };
  for (int round = 0; round < 3'000; ++round) {
    std::string filter, topic;
    for (std::size_t i = 0, levels = 1 + random() % 4; i < levels; ++i)
      filter += (i ? "/" : "") + pick({"a", "b", "+", "", "$x"});
    if (random() % 3 == 0) filter += "/#";
    for (std::size_t i = 0, levels = 1 + random() % 5; i < levels; ++i)
      topic += (i ? "/" : "") + pick({"a", "b", "", "$x"});
    if (filter.empty() || topic.empty()) continue;
    EXPECT_EQ(who_gets({filter}, topic), matches(filter, topic) ? filter : "") << filter << " and " << topic;
  }
}

TEST(Subscriptions, RefuseWhatIsNoFilter) {
  Subscriptions all;
  for (const std::string& filter :
       {std::string(), std::string("a+"), std::string("#/a"), std::string("a/#/b"), std::string("a#"),
        std::string("a\xff"), std::string("a\0b", 3), std::string(65'536, 'x')}) {
    const auto added = all.add(filter, 0, [](const core::MqttMessage&) {});
    ASSERT_FALSE(added) << filter;
    EXPECT_EQ(added.error().code, base::ErrorCode::invalid);
  }
  EXPECT_FALSE(all.add("a", 3, [](const core::MqttMessage&) {}));
  EXPECT_EQ(all.size(), 0u);
}

TEST(Subscriptions, AFilterLeavesWithItsLastSubscriber) {
  Subscriptions all;
  const auto nothing = [](const core::MqttMessage&) {};
  const auto one = all.add("a/+/c", 0, nothing).value(), two = all.add("a/+/c", 2, nothing).value();
  const auto other = all.add("a/+", 1, nothing).value();
  EXPECT_EQ(all.filters().size(), 2u);
  EXPECT_EQ(all.filter_of(one).qos, 2);
  EXPECT_FALSE(all.remove(one));
  EXPECT_EQ(all.remove(two).value().text, "a/+/c");
  EXPECT_FALSE(all.remove(two));
  EXPECT_EQ(all.remove(other).value().text, "a/+");
  EXPECT_EQ(all.size(), 0u);
}

TEST(Subscriptions, HandlersMayEndAndBeginSubscriptions) {
  Subscriptions all;
  std::string calls;
  Subscriptions::Id one = 0, two = 0;
  one = all.add("a", 0,
                [&, text = std::string("one ")](const core::MqttMessage& message) {
                  all.remove(one);
                  all.remove(two);
                  EXPECT_TRUE(all.add("a", 0, [&](const core::MqttMessage&) { calls += "new "; }));
                  calls += text + message.topic() + ' ';
                })
            .value();
  two = all.add("a", 0, [&](const core::MqttMessage&) { calls += "two "; }).value();
  all.pass(core::MqttMessage("a", "", 0, false, {}));
  EXPECT_EQ(calls, "one a ");
  all.pass(core::MqttMessage("a", "", 0, false, {}));
  EXPECT_EQ(calls, "one a new ");
  EXPECT_EQ(all.size(), 1u);
}

TEST(Subscriptions, WhoIsAddedWhileAMessageIsPassedOnDoesNotGetIt) {
  Subscriptions all;
  std::string calls;
  EXPECT_TRUE(all.add("a", 0, [&](const core::MqttMessage&) {
    calls += "first ";
    for (const std::string filter : {"a", "+"})
      EXPECT_TRUE(all.add(filter, 0, [&](const core::MqttMessage&) { calls += "new "; }));
  }));
  EXPECT_TRUE(all.add("+", 0, [&](const core::MqttMessage&) { calls += "second "; }));
  all.pass(core::MqttMessage("a", "", 0, false, {}));
  EXPECT_EQ(calls, "first second ");
}

TEST(Subscriptions, TheNumbersOfAMessageDecide) {
  Subscriptions all;
  std::string calls;
  const auto exact = all.add("a/b", 0, [&](const core::MqttMessage&) { calls += "exact "; }).value();
  const auto any = all.add("#", 0, [&](const core::MqttMessage&) { calls += "any "; }).value();
  const core::MqttMessage message("a/b", "", 0, false, {});
  const std::uint32_t of_exact = all.filter_of(exact).number, of_any = all.filter_of(any).number;
  all.pass(message, std::span(&of_any, 1));
  all.pass(message, std::span(&of_exact, 1));
  EXPECT_EQ(calls, "any exact ");
}

TEST(Subscriptions, ARetainedMessageReachesEachOnceAConnection) {
  Subscriptions all;
  std::string calls;
  const auto listen = [&](const std::string& filter, const std::string& name) {
    EXPECT_TRUE(all.add(filter, 0, [&calls, name](const core::MqttMessage&) { calls += name + ' '; }));
  };
  const core::MqttMessage retained("a/b", "", 0, true, {}), live("a/b", "", 0, false, {});
  listen("a/b", "one");
  listen("a/+", "any");
  all.pass(retained);
  EXPECT_EQ(std::exchange(calls, {}), "one any ");
  listen("a/b", "two");
  all.pass(retained);
  EXPECT_EQ(std::exchange(calls, {}), "two ");
  all.pass(live);
  EXPECT_EQ(std::exchange(calls, {}), "one two any ");
  all.connected();
  all.pass(retained);
  EXPECT_EQ(std::exchange(calls, {}), "one two any ");
}

TEST(Subscriptions, AllSubscribersShareOneParsedPayload) {
  TestBroker broker;
  std::vector<const json::value*> seen;
  std::string text;
  const auto look = [&](const core::MqttMessage& message) {
    seen.push_back(message.json());
    if (seen.back()) text = base::to_json(*seen.back());
  };
  const auto one = broker.subscribe("a", 0, look).value(), two = broker.subscribe("#", 0, look).value();
  broker.receive("a", R"({"state": "ON"})");
  ASSERT_EQ(seen.size(), 2u);
  ASSERT_TRUE(seen[0]);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(text, R"({"state":"ON"})");
  broker.receive("a", "ON");
  EXPECT_FALSE(seen.back());
}

TEST(TestBroker, HandlesEndWhatTheyStandFor) {
  TestBroker broker;
  int messages = 0, changes = 0;
  {
    const auto subscription = broker.subscribe("a", 0, [&](const core::MqttMessage&) { ++messages; }).value();
    const auto listening = broker.listen([&](bool) { ++changes; });
    broker.receive("a", "1");
    broker.set_online(false);
  }
  broker.receive("a", "2");
  broker.set_online(true);
  EXPECT_EQ(messages, 1);
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(broker.filters(), 0u);
}

}  // namespace
}  // namespace hearth::integrations::mqtt
