// SPDX-License-Identifier: Apache-2.0
// Sites and portals with all their threads, in one process.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <thread>

#include "base/testing/wait_until.h"
#include "fleet/portal.h"
#include "fleet/site.h"
#include "fleet/test_exchange.h"
#include "recorder/recorder.h"
#include "storage/temporary_folder.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;

void wait_until(const std::function<bool()>& condition) {
  for (int tries = 0; !condition() && tries < 20'000; ++tries) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(condition());
}

core::EntityId id_of(std::string_view text) {
  return core::EntityId::parse(text).value();
}

core::ServiceDescription turn_on() {
  core::ServiceDescription made;
  made.domain = "light";
  made.service = "turn_on";
  made.has_target = true;
  made.target_domains = {"light"};
  return made;
}

class ShiftedClock final : public base::Clock {
 public:
  explicit ShiftedClock(base::Duration ahead) : ahead_(ahead) {}
  base::Timestamp now() const override { return clock_.now() + ahead_; }
  base::Timestamp coarse_now() const override { return clock_.coarse_now() + ahead_; }
  base::SteadyTime steady_now() const override { return clock_.steady_now(); }

 private:
  base::SystemClock clock_;
  const base::Duration ahead_;
};

// A home with a light whose service sets it.
class TestSite {
 public:
  TestSite(TestExchange& exchange, std::string name, std::optional<core::Policy> calls = {},
           base::Duration clock_ahead = 0s)
      : clock_(clock_ahead),
        name_(std::move(name)),
        site_(hub_, folder_.path(),
              {name_, calls ? std::make_shared<const core::Policy>(*calls) : nullptr,
               [](std::string_view id) { return id != "sensor.secret"; }},
              exchange.site(name_)),
        follower_(recorder::Follower::open(folder_.path(), clock_, {"fleet", 100}, site_.target()).value()) {
    site_.watch(*follower_);
    recorder_->set_followers({[this](unsigned generation) { follower_->wake(generation); },
                              [this](std::string_view history) { return follower_->followed(history); }});
    recorder_->restore(hub_.states).value();
    recorder_->listen(hub_.bus);
    recorder_->start();
    follower_->start();
    service_ = hub_.services.add(turn_on(), [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
      ++calls_;
      for (const std::string& id : call.entity_ids()) hub_.states.set(id_of(id), {"on", "{}", call.context()}).value();
      reply(json::value());
    });
    hub_.bus.start();
    site_.start();
  }
  ~TestSite() {
    site_.stop();
    hub_.bus.stop();
    recorder_->stop();
    follower_->stop();
  }

  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    hub_.states.set(id_of(id), {value, attributes, core::Context::create(clock_.now())}).value();
  }
  void demand_pin(const std::string& id, const char* pin) {
    json::object options{{"ask", "pin"}, {"pin", pin}};
    const core::RegisteredEntity entity{.entity_id = id, .unique_id = id, .integration = "test"};
    hub_.registry
        .update_entity(id, {.options = std::pair(std::string("hearth"), std::optional(options))},
                       core::Context::create(clock_.now()), &entity)
        .value();
  }
  int calls() const { return calls_; }
  recorder::Follower& follower() { return *follower_; }

 private:
  storage::TemporaryFolder folder_;
  ShiftedClock clock_;
  core::Hub hub_{clock_};
  const std::string name_;
  std::unique_ptr<recorder::Recorder> recorder_ =
      recorder::Recorder::open(folder_.path(), clock_, {.commit_interval = 10ms, .retention = {}}).value();
  Site site_;
  std::unique_ptr<recorder::Follower> follower_;
  core::Registration service_;
  std::atomic<int> calls_ = 0;
};

class TestPortal {
 public:
  explicit TestPortal(TestExchange& exchange) : portal_(hub_, exchange.portal()) {
    service_ = hub_.services.add(
        turn_on(), [](const core::ServiceCall&, const core::ServiceReply& reply) { reply(json::value()); });
    hub_.bus.start();
    portal_.start();
  }
  ~TestPortal() {
    portal_.stop();
    hub_.bus.stop();
  }

  std::string state(std::string_view id) const {
    const auto found = hub_.states.find(id);
    return found ? std::string(found->value()) : "none";
  }
  base::Result<core::CallOutcome> call(json::array ids, core::Rights rights = {}) {
    std::promise<base::Result<core::CallOutcome>> promise;
    core::ServiceRequest request;
    request.domain = "light";
    request.service = "turn_on";
    request.data["entity_id"] = std::move(ids);
    request.context = core::Context::create(hub_.clock.now());
    request.rights = std::move(rights);
    hub_.services.call(std::move(request),
                       [&](base::Result<core::CallOutcome> outcome) { promise.set_value(std::move(outcome)); });
    return base::wait_for(promise.get_future());
  }
  SiteStatus status(std::string_view site) const {
    for (const SiteStatus& each : portal_.sites()) {
      if (each.site == site) return each;
    }
    return {};
  }
  base::Timestamp shown_at(std::string_view id) const {
    const auto found = hub_.states.find(id);
    return found ? found->last_updated() : base::Timestamp{};
  }
  core::Hub& hub() { return hub_; }
  Portal& portal() { return portal_; }

 private:
  base::SystemClock clock_;
  core::Hub hub_{clock_};
  Portal portal_;
  core::Registration service_;
};

TEST(Fleet, APortalShowsWhatItsSitesHave) {
  TestExchange exchange;
  TestSite north(exchange, "north"), south(exchange, "south");
  north.set("light.hall", "off");
  north.set("sensor.secret", "7");
  TestPortal portal(exchange);
  wait_until([&] { return portal.state("light.north_hall") == "off"; });
  south.set("light.hall", "on");
  north.set("light.hall", "on");
  wait_until([&] { return portal.state("light.north_hall") == "on" && portal.state("light.south_hall") == "on"; });
  EXPECT_EQ("none", portal.state("sensor.north_secret"));
  wait_until([&] { return portal.status("north").reachable && portal.status("south").reachable; });
  EXPECT_EQ(0u, portal.status("north").refused);
}

TEST(Fleet, APortalThatComesLaterKnowsEverything) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  north.set("light.hall", "off");
  {
    TestPortal portal(exchange);
    wait_until([&] { return portal.state("light.north_hall") == "off"; });
  }
  north.set("light.hall", "on");
  north.set("light.garden", "on");
  TestPortal portal(exchange);
  wait_until([&] { return portal.state("light.north_hall") == "on" && portal.state("light.north_garden") == "on"; });
}

TEST(Fleet, WhatTheEngineRefusesOrLosesComesLater) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  TestPortal portal(exchange);
  north.set("light.a", "1");
  wait_until([&] { return portal.state("light.north_a") == "1"; });
  exchange.refuse(base::Error{base::ErrorCode::full, "The server has no room."});
  north.set("light.a", "2");
  wait_until([&] { return !north.follower().status().failure.empty(); });
  EXPECT_EQ("The server has no room.", north.follower().status().failure);
  EXPECT_EQ("1", portal.state("light.north_a"));
  exchange.refuse({});
  wait_until([&] { return portal.state("light.north_a") == "2"; });
  // A gap: the portal asks for a snapshot.
  exchange.lose(true);
  north.set("light.lost", "on");
  wait_until([&] { return north.follower().status().behind == 0 && north.follower().status().failure.empty(); });
  exchange.lose(false);
  north.set("light.a", "3");
  wait_until([&] { return portal.state("light.north_a") == "3" && portal.state("light.north_lost") == "on"; });
}

TEST(Fleet, WhatASiteHasNoMoreIsAskedForOnce) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  TestPortal portal(exchange);
  north.set("light.a", "1");
  wait_until([&] { return portal.state("light.north_a") == "1"; });
  const std::string former(32, 'f');
  portal.portal().ask_again("north", {former, 3, 9});
  std::optional<Batch> found;
  wait_until([&] {
    for (const Message& message : exchange.kept(Kind::log)) {
      auto batch =
          decode_batch({reinterpret_cast<const std::uint8_t*>(message.payload.data()), message.payload.size()});
      if (batch && batch->epoch == former) found = std::move(*batch);
    }
    return found.has_value();
  });
  EXPECT_EQ(3, found->after);
  EXPECT_EQ(9, found->until);
  EXPECT_TRUE(found->entries.empty());
  north.set("light.a", "2");
  wait_until([&] { return portal.state("light.north_a") == "2"; });
}

TEST(Fleet, WhatIsAskedForComesAgainEvenIfTheEngineKnowsIt) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  TestPortal portal(exchange);
  north.set("light.a", "1");
  wait_until([&] { return !exchange.kept(Kind::log).empty() && portal.state("light.north_a") == "1"; });
  const auto before = exchange.kept(Kind::log);
  const std::string& payload = before.back().payload;
  const Batch last = decode_batch({reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()}).value();
  portal.portal().ask_again("north", {last.epoch, last.after, last.until});
  wait_until([&] { return exchange.kept(Kind::log).size() > before.size(); });
  EXPECT_EQ(payload, exchange.kept(Kind::log).back().payload);
}

TEST(Fleet, CallsAreMadeAtTheSiteAndAnswered) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  TestPortal portal(exchange);
  north.set("light.hall", "off");
  wait_until([&] { return portal.state("light.north_hall") == "off"; });
  const auto outcome = portal.call({"light.north_hall"});
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(1u, outcome->changed.size());
  EXPECT_EQ("light.north_hall", outcome->changed[0]->entity_id());
  EXPECT_EQ("on", outcome->changed[0]->value());
  EXPECT_EQ("on", portal.state("light.north_hall"));
  EXPECT_EQ(1, north.calls());
}

TEST(Fleet, ACallToASiteThatIsAwayNamesIt) {
  TestExchange exchange;
  TestPortal portal(exchange);
  {
    TestSite north(exchange, "north");
    north.set("light.hall", "off");
    wait_until([&] { return portal.state("light.north_hall") == "off"; });
  }
  const auto outcome = portal.call({"light.north_hall"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(base::ErrorCode::unreachable, outcome.error().code);
  EXPECT_EQ("The site north does not answer: Nobody listens there.", outcome.error().message);
}

TEST(Fleet, ASiteChecksRightsAgain) {
  TestExchange exchange;
  core::Policy policy;
  policy.read.all = true;
  policy.control.entities = {"light.garden"};
  TestSite north(exchange, "north", policy);
  TestPortal portal(exchange);
  north.set("light.hall", "off");
  north.set("light.garden", "off");
  wait_until([&] { return portal.state("light.north_hall") == "off" && portal.state("light.north_garden") == "off"; });
  const auto refused = portal.call({"light.north_hall"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(base::ErrorCode::forbidden, refused.error().code);
  EXPECT_EQ("off", portal.state("light.north_hall"));
  EXPECT_TRUE(portal.call({"light.north_garden"}));
}

TEST(Fleet, APinGoesToTheSiteThatDemandsIt) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  TestPortal portal(exchange);
  north.set("light.hall", "off");
  north.demand_pin("light.hall", "4711");
  wait_until([&] { return portal.state("light.north_hall") == "off"; });
  const auto with = [](const char* pin) {
    core::Rights rights(core::Role::user);
    rights.present({pin, "ann"});
    return rights;
  };
  const auto refused = portal.call({"light.north_hall"}, with(""));
  ASSERT_FALSE(refused);
  EXPECT_EQ(base::ErrorCode::pin_needed, refused.error().code);
  EXPECT_EQ("north: light.hall: a PIN is needed.", refused.error().message);
  EXPECT_EQ(base::ErrorCode::pin_wrong, portal.call({"light.north_hall"}, with("4712")).error().code);
  EXPECT_EQ(0, north.calls());
  EXPECT_TRUE(portal.call({"light.north_hall"}, with("4711")));
  EXPECT_EQ(1, north.calls());
  // Nobody knows who calls for an automation of the portal.
  EXPECT_EQ(base::ErrorCode::pin_needed, portal.call({"light.north_hall"}).error().code);
}

TEST(Fleet, AUserOfOneSiteReachesNothingOfAnother) {
  TestExchange exchange;
  TestSite north(exchange, "north"), south(exchange, "south");
  TestPortal portal(exchange);
  north.set("light.hall", "off");
  south.set("light.hall", "off");
  wait_until([&] { return portal.state("light.north_hall") == "off" && portal.state("light.south_hall") == "off"; });
  const auto policy = std::make_shared<core::Policy>();
  policy->read.sites = policy->control.sites = {"north"};
  const core::Rights rights(core::Role::user, policy);
  const auto registry = portal.hub().registry.snapshot();
  EXPECT_TRUE(rights.reads("light.north_hall", *registry));
  EXPECT_FALSE(rights.reads("light.south_hall", *registry));
  const auto outcome = portal.call({"light.north_hall", "light.south_hall"}, rights);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ("on", portal.state("light.north_hall"));
  EXPECT_EQ("off", portal.state("light.south_hall"));
  EXPECT_EQ(0, south.calls());
}

TEST(Fleet, ALyingSiteIsNamedAndChangesNothing) {
  TestExchange exchange;
  TestSite north(exchange, "north");
  TestPortal portal(exchange);
  north.set("light.hall", "off");
  wait_until([&] { return portal.state("light.north_hall") == "off"; });
  wait_until([&] { return !exchange.kept(Kind::log).empty(); });
  for (const Message& message : exchange.kept(Kind::log)) exchange.put(Kind::log, "liar", message.payload);
  exchange.put(Kind::log, "liar", "garbage");
  exchange.put(Kind::snapshot, "liar", "garbage");
  exchange.put(Kind::registry, "liar", "garbage");
  wait_until([&] { return portal.status("liar").refused >= 4; });
  EXPECT_EQ(0u, portal.status("liar").entities);
  EXPECT_EQ(0u, portal.status("north").refused);
  north.set("light.hall", "on");
  wait_until([&] { return portal.state("light.north_hall") == "on"; });
}

// One is fast by an hour, one slow by as much.
TEST(Fleet, AWrongClockIsNamedAndNothingWaitsForIt) {
  TestExchange exchange;
  TestPortal portal(exchange);
  TestSite fast(exchange, "fast", {}, 1h), slow(exchange, "slow", {}, -1h), right(exchange, "right");
  for (TestSite* const site : {&fast, &slow, &right}) site->set("light.hall", "off");
  for (const char* const site : {"fast", "slow", "right"}) {
    const std::string id = fmt::format("light.{}_hall", site);
    wait_until([&] { return portal.state(id) == "off"; });
    ASSERT_TRUE(portal.call({id})) << site;
    EXPECT_EQ("on", portal.state(id));
  }
  for (TestSite* const site : {&fast, &slow, &right}) site->set("light.hall", "dim");
  for (const char* const site : {"fast", "slow", "right"})
    wait_until([&] { return portal.state(fmt::format("light.{}_hall", site)) == "dim"; });
  // The times are those of the site.
  EXPECT_LT(portal.shown_at("light.slow_hall"), portal.shown_at("light.right_hall"));
  EXPECT_LT(portal.shown_at("light.right_hall"), portal.shown_at("light.fast_hall"));
  wait_until([&] { return portal.status("fast").clock_off != 0 && portal.status("slow").clock_off != 0; });
  std::map<std::string, std::string> wrong;
  for (const core::Issue& issue : portal.portal().issues()) {
    if (issue.kind == "site_clock") wrong[issue.id] = issue.details.at("seconds");
  }
  ASSERT_EQ(2u, wrong.size());
  EXPECT_NEAR(3600, std::stoi(wrong.at("site_clock_fast")), 5);
  EXPECT_NEAR(-3600, std::stoi(wrong.at("site_clock_slow")), 5);
}

}  // namespace
}  // namespace hearth::fleet
