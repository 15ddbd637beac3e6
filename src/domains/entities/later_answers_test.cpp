// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/later_answers.h"

#include <stdexcept>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Owes an answer to each command, which the test gives.
class OwingDevice final : public ThingDevice {
 public:
  void act(const Action&, const json::object&) override {
    owed.push_back(thing->answer_later());
    if (on_act) on_act();
  }

  Thing* thing = nullptr;
  std::vector<CommandAnswer> owed;
  std::function<void()> on_act;
};

class LaterAnswersTest : public testing::Test {
 protected:
  OwingDevice& add(const std::string& name) {
    auto& device = devices.emplace_back(std::make_unique<OwingDevice>());
    device->thing = &home.add(std::make_unique<Thing>(kSwitch, test_entity(name), Abilities(), device.get()));
    return *device;
  }
  std::shared_ptr<TestHome::Call> turn_on(std::string_view ids, std::string_view domain = "switch") {
    return home.begin(std::string(domain) + ".turn_on", "{\"entity_id\": \"" + std::string(ids) + "\"}");
  }
  void run() { home.hub.bus.run_pending(); }

  std::vector<std::unique_ptr<OwingDevice>> devices;
  TestHome home;
  OwingDevice& pump = add("pump");
};

TEST_F(LaterAnswersTest, EndTheCallWhenTheDeviceHasAlsoReported) {
  const auto call = turn_on("switch.pump");
  home.advance(seconds(4));
  EXPECT_EQ(call->text(), "waiting");
  pump.owed.at(0).done();
  run();
  EXPECT_EQ(call->text(), "waiting") << "for the report";
  pump.thing->report({.value = true});
  run();
  EXPECT_EQ(call->text(), "switch.pump on");
}

TEST_F(LaterAnswersTest, LetTheCallFailWithTheDevicesWords) {
  const auto call = turn_on("switch.pump");
  pump.thing->report({});
  run();
  EXPECT_EQ(call->text(), "waiting");
  pump.owed.at(0).refuse("The lid is open.");
  run();
  EXPECT_EQ(call->text(), "failed: switch.pump: The lid is open.");
}

TEST_F(LaterAnswersTest, MayComeWithinTheCommand) {
  pump.on_act = [this] { pump.owed.back().refuse("No."); };
  EXPECT_EQ(turn_on("switch.pump")->text(), "failed: switch.pump: No.");
}

TEST_F(LaterAnswersTest, CountOnce) {
  int answers = 0;
  home.hub.services.call({.domain = "switch",
                          .service = "turn_on",
                          .data = {{"entity_id", "switch.pump"}},
                          .context = core::Context::create(home.clock.now()),
                          .wait = seconds(0)},
                         [&](const base::Result<core::CallOutcome>& outcome) {
                           ++answers;
                           EXPECT_TRUE(outcome);
                         });
  run();
  pump.owed.at(0).done();
  pump.owed.at(0).refuse("No.");
  const CommandAnswer copy = pump.owed.at(0);
  pump.owed.clear();
  copy.refuse("No.");
  run();
  home.advance(seconds(61));
  EXPECT_EQ(answers, 1);
}

TEST_F(LaterAnswersTest, AreWaitedForTenSecondsAtMost) {
  const auto call = turn_on("switch.pump");
  home.advance(milliseconds(9'900));
  EXPECT_EQ(call->text(), "waiting");
  home.advance(milliseconds(100));
  EXPECT_EQ(call->text(), "failed: switch.pump: No answer within 10 s.");
  pump.owed.at(0).done();
  run();
  EXPECT_EQ(call->text(), "failed: switch.pump: No answer within 10 s.");
}

TEST_F(LaterAnswersTest, AreWaitedForAllAndEachRefusalIsSaid) {
  OwingDevice& fan = add("fan");
  add("valve");
  const auto call = turn_on("switch.pump, switch.fan, switch.valve");
  fan.owed.at(0).refuse("The blade is stuck.");
  run();
  EXPECT_EQ(call->text(), "waiting");
  pump.owed.at(0).refuse("Dry.");
  run();
  EXPECT_EQ(call->text(), "waiting");
  devices.back()->owed.at(0).done();
  run();
  EXPECT_EQ(call->text(), "failed: switch.fan: The blade is stuck. switch.pump: Dry.");
}

TEST_F(LaterAnswersTest, ShowFiveRefusalsAndCountTheOthers) {
  std::string ids = "switch.pump";
  for (int i = 0; i < 6; ++i) add("x" + std::to_string(i)), ids += ", switch.x" + std::to_string(i);
  const auto call = turn_on(ids);
  for (const auto& device : devices) device->owed.at(0).refuse("N" + std::string(1'000, 'o') + '\xFF');
  run();
  EXPECT_TRUE(call->text().ends_with(" And 2 more."));
  EXPECT_LT(call->text().size(), 2'000u);
}

TEST_F(LaterAnswersTest, EndWithTheConnection) {
  const auto call = turn_on("switch.pump");
  const auto gone = home.domains.entities().withdraw("switch.pump");
  pump.owed.clear();
  run();
  EXPECT_EQ(call->text(), "failed: switch.pump: The connection ended before it had answered.");
}

TEST(LaterAnswers, DoNotOutliveTheHome) {
  OwingDevice device;
  auto home = std::make_unique<TestHome>();
  device.thing = &home->add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
  const auto calls = {home->begin("switch.turn_on", R"({"entity_id": "switch.pump"})"),
                      home->begin("switch.turn_on", R"({"entity_id": "switch.pump"})")};
  // The bus has the last copy of one when it ends.
  home->hub.bus.post([last = std::make_shared<CommandAnswer>(std::exchange(device.owed.at(0), {}))] {});
  home.reset();
  device.owed.at(1).done();
  device.owed.clear();
  for (const auto& call : calls) EXPECT_FALSE(call->outcome && *call->outcome);
}

TEST_F(LaterAnswersTest, AreForNobodyWithoutACall) {
  pump.thing->answer_later().refuse("No.");
  pump.on_act = [] { throw std::runtime_error("broken"); };
  EXPECT_EQ(turn_on("switch.pump")->text(), "failed: switch.pump failed at the command.");
  pump.owed.at(0).done();
  run();
}

TEST_F(LaterAnswersTest, ReachThroughTheServiceOfAllDomains) {
  const auto call = turn_on("switch.pump", "platform");
  pump.owed.at(0).refuse("The lid is open.");
  run();
  EXPECT_EQ(call->text(), "failed: switch.pump: The lid is open.");
}

// A command may remove the entity that is commanded.
TEST_F(LaterAnswersTest, MayBeOwedByAnEntityThatIsGone) {
  std::unique_ptr<Entity> gone;
  pump.on_act = [&] { gone = home.domains.entities().withdraw("switch.pump"); };
  const auto call = turn_on("switch.pump");
  EXPECT_EQ(call->text(), "waiting");
  gone.reset();
  pump.owed.at(0).refuse("Bye.");
  run();
  EXPECT_EQ(call->text(), "failed: switch.pump: Bye.");
}

}  // namespace
}  // namespace hearth::domains
