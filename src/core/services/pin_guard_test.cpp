// SPDX-License-Identifier: Apache-2.0
#include "core/services/pin_guard.h"

#include <gtest/gtest.h>

#include "base/pin.h"
#include "core/rights/policy_json.h"
#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

using base::ErrorCode;

class PinGuardTest : public testing::Test, protected ServiceTestHome {
 protected:
  PinGuardTest() {
    demand("lock.front", "4711");
    for (const char* id : {"cover.garage", "lock.back", "switch.relay", "siren.attic"}) demand(id, "4711");
  }

  void demand(const std::string& id, const char* pin) {
    show(id, "{}");
    json::object options{{"ask", "pin"}, {"pin", pin}};
    registry.put_entity(EntityId::parse(id).value(), {.unique_id = id, .integration = "d"}).value();
    registry.update_entity(id, {.options = std::pair(std::string("hearth"), std::optional(options))}, context).value();
  }
  void show(std::string_view id, std::string_view attributes) {
    states.set(EntityId::parse(id).value(), {"off", attributes, context}).value();
  }
  static Rights with(const char* pin, const char* user = "ann") {
    Rights rights(Role::user);
    rights.present({pin, user});
    return rights;
  }
  // An empty text if the call may be made.
  std::string said(std::string_view service, std::vector<std::string> ids, const Rights& rights) {
    const auto good = services.check_pins(service, ids, rights);
    if (good) return "";
    code = good.error().code;
    return good.error().message;
  }
  std::string said(std::string_view service, const std::string& id, const Rights& rights) {
    return said(service, std::vector{id}, rights);
  }

  const Context context = Context::create(clock.now());
  ErrorCode code = ErrorCode::internal;
};

TEST_F(PinGuardTest, WantsThePinOfWhoeverCallsByHand) {
  EXPECT_EQ(said("unlock", "lock.front", with("")), "lock.front: a PIN is needed.");
  EXPECT_EQ(code, ErrorCode::pin_needed);
  EXPECT_EQ(said("unlock", "lock.front", with("4712")), "lock.front: the PIN is wrong.");
  EXPECT_EQ(code, ErrorCode::pin_wrong);
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "");
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "");  // by the digest
  EXPECT_EQ(said("unlock", "lock.front", with("4712")), "lock.front: the PIN is wrong.");
  EXPECT_EQ(said("unlock", "lock.front", Rights()), "");  // the hub's own
  EXPECT_EQ(said("turn_on", "light.a", with("")), "");
  EXPECT_EQ(said("turn_on", std::vector<std::string>{"light.a", "switch.relay"}, with("")),
            "switch.relay: a PIN is needed.");
}

TEST_F(PinGuardTest, WantsNoneForWhatMakesAHomeSafer) {
  for (const auto& [id, service] : {std::pair("lock.front", "lock"), std::pair("cover.garage", "close_cover"),
                                    std::pair("cover.garage", "stop_cover"), std::pair("siren.attic", "turn_off")})
    EXPECT_EQ(said(service, id, with("")), "") << id << service;
  // The same word means something else there.
  EXPECT_EQ(said("turn_off", "switch.relay", with("")), "switch.relay: a PIN is needed.");
}

TEST_F(PinGuardTest, LooksBehindGroupsAndWhatStandsForAnother) {
  show("cover.all", R"({"entity_id":["cover.blind","cover.inner"]})");
  show("cover.inner", R"({"entity_id":["cover.garage","cover.all"]})");
  show("lock.wired", R"({"entity_id":"switch.relay"})");
  show("scene.night", R"({"entity_id":["lock.front"]})");
  EXPECT_EQ(said("open_cover", "cover.all", with("")), "cover.garage: a PIN is needed.");
  EXPECT_EQ(said("open_cover", "cover.all", with("4711")), "");
  EXPECT_EQ(said("close_cover", "cover.all", with("")), "");
  EXPECT_EQ(said("unlock", "lock.wired", with("")), "switch.relay: a PIN is needed.");
  EXPECT_EQ(said("turn_on", "scene.night", with("")), "");  // it may lock only
}

TEST_F(PinGuardTest, NamesNothingThatTheCallerDoesNotReach) {
  show("cover.all", R"({"entity_id":["cover.garage"]})");
  Rights guest(Role::user, std::make_shared<const Policy>(parse_policy(R"({"read":{"entities":["cover.all"]},
                                                                           "control":{"entities":["cover.all"]}})")
                                                              .value()));
  guest.present({"", "guest"});
  EXPECT_EQ(said("open_cover", "cover.all", guest), "");
}

TEST_F(PinGuardTest, MakesWhoGuessesWait) {
  for (int i = 0; i < PinGuard::kTries; ++i)
    EXPECT_EQ(said("unlock", "lock.front", with("0000")), "lock.front: the PIN is wrong.");
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "lock.front: too many wrong PINs. Wait a minute.");
  EXPECT_EQ(code, ErrorCode::throttled);
  EXPECT_EQ(said("unlock", "lock.front", with("")), "lock.front: a PIN is needed.");
  // Others, and other doors, are not locked out.
  EXPECT_EQ(said("unlock", "lock.front", with("4711", "ben")), "");
  EXPECT_EQ(said("unlock", "lock.back", with("4711")), "");
  clock.advance(PinGuard::kPause - std::chrono::seconds(1));
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "lock.front: too many wrong PINs. Wait a minute.");
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "");
}

TEST_F(PinGuardTest, ForgetsWrongOnesAfterARightOneAndAfterAMinute) {
  const auto wrong = [this](int times) {
    for (int i = 0; i < times; ++i)
      EXPECT_EQ(said("unlock", "lock.front", with("12ab")), "lock.front: the PIN is wrong.");
  };
  wrong(PinGuard::kTries - 1);
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "");
  wrong(PinGuard::kTries - 1);
  clock.advance(PinGuard::kPause);
  wrong(PinGuard::kTries - 1);
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "");
}

TEST_F(PinGuardTest, KnowsANewPinAtOnce) {
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "");
  demand("lock.front", "080808");
  EXPECT_EQ(said("unlock", "lock.front", with("4711")), "lock.front: the PIN is wrong.");
  EXPECT_EQ(said("unlock", "lock.front", with("080808")), "");
}

TEST_F(PinGuardTest, IsAskedBeforeTheHandlerAndTheEvent) {
  int ran = 0, announced = 0;
  ServiceDescription unlock;
  unlock.domain = "lock";
  unlock.service = "unlock";
  unlock.target_domains = {"lock"};
  const auto service = services.add(unlock, [&](const ServiceCall&, const ServiceReply& reply) {
    ++ran;
    reply(nullptr);
  });
  const auto listening = bus.listen(event_type::kCallService, [&](const Event&) { ++announced; });
  ServiceRequest asked = request(R"({"entity_id":"lock.front"})");
  asked.domain = "lock";
  asked.service = "unlock";
  asked.rights = with("");
  call(asked);
  EXPECT_EQ(answer(), "error: lock.front: a PIN is needed.");
  EXPECT_EQ(ran + announced, 0);
  asked.rights = with("4711");
  call(asked);
  EXPECT_EQ(ran + announced, 2);
}

}  // namespace
}  // namespace hearth::core
