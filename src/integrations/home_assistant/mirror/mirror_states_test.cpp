// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirror_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using namespace std::chrono_literals;

TEST(MirrorStates, HaveTheTimesAndContextsOfThere) {
  MirrorHome home;
  home.there("light.a", "on");
  home.context = "THERE";
  home.connect();
  const core::StatePtr state = home.home->hub.states.find("light.a");
  EXPECT_EQ(state->last_changed(), home.time);
  EXPECT_EQ(state->last_updated(), home.time);
  EXPECT_EQ(state->context().id, "THERE");
  EXPECT_EQ(home.contexts.reports, std::vector<std::string>{"light.a"});
}

TEST(MirrorStates, NoneIsOfAFutureThatAClockThereHas) {
  MirrorHome home;
  home.time = home.home->clock.now() + 1h;
  home.there("light.a", "on");
  home.connect();
  EXPECT_EQ(home.home->hub.states.find("light.a")->last_changed(), home.home->clock.now());
}

TEST(MirrorStates, EqualOnesAreWrittenOnce) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  const std::uint64_t before = home.home->hub.states.changes();
  home.show(true);
  home.change("light.a", "on");
  EXPECT_EQ(home.home->hub.states.changes(), before);
}

TEST(MirrorStates, WhatPeopleHereChoseIsShown) {
  MirrorHome home;
  home.there("sensor.t", "20");
  home.attributes["sensor.t"] = {{"unit_of_measurement", "°C"}, {"friendly_name", "T"}};
  home.connect();
  core::EntityEdit edit{.name = "Mine"};
  edit.options.emplace("sensor", json::object{{"unit_of_measurement", "°F"}});
  core::update_entity(home.home->hub, "sensor.t", edit, {}).value();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.value("sensor.t"), "68");
  home.change("sensor.t", "30");
  EXPECT_EQ(home.value("sensor.t"), "86");
  EXPECT_EQ(home.home->attribute("sensor.t", "friendly_name"), R"("Mine")");
}

TEST(MirrorStates, TokensAndPathsOfThereReachNobody) {
  MirrorHome home;
  home.there("camera.a", "idle");
  home.attributes["camera.a"] = {{"entity_picture", "/api/camera_proxy/camera.a?token=x"}, {"access_token", "x"}};
  home.connect();
  EXPECT_EQ(home.home->hub.states.find("camera.a")->attributes_json(), "{}");
}

TEST(MirrorStates, OneThatIsTooLargeIsListedAndOthersGoOn) {
  MirrorHome home;
  home.there("sensor.large", "1");
  home.attributes["sensor.large"] = {{"x", std::string(300 * 1024, 'x')}, {"friendly_name", "Large"}};
  home.there("sensor.long", std::string(10'000, 'x'));
  home.there("sensor.small", "1");
  home.connect();
  EXPECT_EQ(home.value("sensor.small"), "1");
  EXPECT_EQ(home.value("sensor.large"), "unavailable");
  EXPECT_EQ(home.value("sensor.long"), "unavailable");
  EXPECT_EQ(home.mirror->counts().invalid, 2u);
  EXPECT_EQ(home.mirror->list(Fate::invalid).size(), 2u);
  home.change("sensor.long", "2");
  EXPECT_EQ(home.value("sensor.long"), "2");
  EXPECT_EQ(home.mirror->counts().invalid, 1u);
}

TEST(MirrorStates, AChangeWaitsForItsCallAndOthersOfTheEntityBehindIt) {
  MirrorHome home;
  home.there("light.a", "off");
  home.there("light.b", "off");
  home.connect();
  home.contexts.unknown = {"CALL"};
  home.context = "CALL";
  home.change("light.a", "on");
  home.context = "C2";
  home.change("light.a", "dim");
  home.change("light.b", "on");
  EXPECT_EQ(home.value("light.a"), "off");
  EXPECT_EQ(home.value("light.b"), "on");
  home.contexts.unknown.clear();
  home.mirror->contexts_changed();
  EXPECT_EQ(home.value("light.a"), "dim");
  home.contexts.unknown = {"LATE"};
  home.context = "LATE";
  home.change("light.a", "late");
  home.home->advance(200ms);
  EXPECT_EQ(home.value("light.a"), "dim");
  home.home->advance(100ms);
  EXPECT_EQ(home.value("light.a"), "late");
}

TEST(MirrorStates, StayForAWhileAfterALossAndThenKeepWhatTheyCanDo) {
  MirrorHome home;
  home.there("light.a", "on").capabilities = {{"effect_list", json::array{"x"}}};
  home.attributes["light.a"] = {
      {"friendly_name", "A"}, {"brightness", 5}, {"effect_list", json::array{"x"}}, {"supported_features", 4}};
  home.connect();
  home.lose();
  home.home->advance(9s);
  EXPECT_EQ(home.value("light.a"), "on");
  EXPECT_EQ(home.value("binary_sensor.home_connection"), "off");
  home.home->advance(1s);
  EXPECT_EQ(home.value("light.a"), "unavailable");
  EXPECT_EQ(home.home->hub.states.find("light.a")->attributes_json(),
            R"({"friendly_name":"A","effect_list":["x"],"supported_features":4,"last_value":"on"})");
}

TEST(MirrorStates, ComeBackWithTheirTimesAndAReason) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  std::vector<std::string> events;
  const auto listening = home.home->hub.bus.listen(core::event_type::kStateChanged, [&](const core::Event& event) {
    if (event.state_change()->entity_id() != "light.a") return;
    std::string text;
    core::write_data_json(text, event);
    events.push_back(text.substr(text.find(R"(,"hearth_reason")") == std::string::npos ? text.size() - 1
                                                                                       : text.find(R"(,"hearth_re)")));
  });
  home.lose();
  home.home->advance(11s);
  home.connect();
  EXPECT_EQ(home.value("light.a"), "on");
  EXPECT_EQ(home.home->hub.states.find("light.a")->last_changed(), home.time);
  home.change("light.a", "off");
  EXPECT_EQ(events,
            (std::vector<std::string>{R"(,"hearth_reason":"connection"})", R"(,"hearth_reason":"connection"})", "}"}));
}

TEST(MirrorStates, AHubThatStartsTakesNothingAway) {
  MirrorHome home;
  home.there("light.a", "on");
  home.there("light.gone", "on");
  home.there("light.late", "on");
  home.states["sensor.plain"] = "1";
  home.connect();
  home.lose();
  home.mirror->connected({.version = "2026.2.3"});
  home.entities.erase("light.gone");
  home.list();
  home.states = {{"light.a", "off"}};
  home.show(false);
  EXPECT_EQ(home.value("light.a"), "off");
  EXPECT_EQ(home.value("light.gone"), "on");
  home.home->advance(11s);
  EXPECT_EQ(home.value("light.a"), "off");
  EXPECT_EQ(home.value("light.gone"), "unavailable");
  EXPECT_EQ(home.value("sensor.plain"), "unavailable");
  home.show(true);
  EXPECT_EQ(home.value("light.gone"), "");
  EXPECT_EQ(home.value("sensor.plain"), "");
  EXPECT_TRUE(core::is_reserved(home.entry("light.gone")));
  EXPECT_EQ(home.value("light.late"), "unavailable");
  home.change("light.late", "on");
  EXPECT_EQ(home.value("light.late"), "on");
}

TEST(MirrorStates, WhatIsRemovedThereIsReservedAndComesBackAsItWas) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  core::update_entity(home.home->hub, "light.a", {.name = "Mine"}, {}).value();
  const OtherEntity entity = home.entities.at("light.a");
  home.entities.clear();
  home.list();
  EXPECT_EQ(home.value("light.a"), "on");
  home.lose_state("light.a");
  EXPECT_EQ(home.value("light.a"), "");
  EXPECT_TRUE(core::is_reserved(home.entry("light.a")));
  home.entities.emplace("light.a", entity);
  home.list();
  home.change("light.a", "off");
  EXPECT_EQ(home.value("light.a"), "off");
  EXPECT_EQ(home.entry("light.a").name, "Mine");
}

TEST(MirrorStates, OneThatLosesItsStateThereIsUnavailable) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  home.lose_state("light.a");
  home.home->advance(2s);
  EXPECT_EQ(home.value("light.a"), "unavailable");
  EXPECT_TRUE(home.registered("light.a"));
}

TEST(MirrorStates, EntitiesOfEarlierRunsAreClaimedAtAStart) {
  MirrorHome home;
  home.there("light.a", "on");
  home.there("light.b", "on");
  home.connect();
  const auto kept_data = home.data();
  core::RegistryData restored = *kept_data;
  for (const auto& [id, entry] : kept_data->entities) {
    core::RegisteredEntity unprovided = entry;
    unprovided.provided = false;
    unprovided.provider.clear();
    restored.set(unprovided);
  }
  MirrorHome later;
  later.home->hub.registry.restore(restored);
  std::vector<core::StatePtr> kept{home.home->hub.states.find("light.a"), home.home->hub.states.find("light.b")};
  later.home->hub.states.restore(kept, [](const core::State&) { return true; });
  later.start();
  later.started = true;
  EXPECT_EQ(core::provider_of(later.entry("light.a")), "home_assistant.home");
  EXPECT_EQ(core::provider_of(later.entry("binary_sensor.home_connection")), "");
  EXPECT_EQ(later.value("light.a"), "on");
  EXPECT_EQ(later.home->attribute("light.a", "restored"), "true");
  later.home->advance(10s);
  EXPECT_EQ(later.value("light.a"), "unavailable");
  later.there("light.a", "on");
  later.connect();
  EXPECT_EQ(later.value("light.a"), "on");
  EXPECT_EQ(later.value("light.b"), "");
  EXPECT_TRUE(core::is_reserved(later.entry("light.b")));
}

TEST(MirrorStates, ClientsCannotWriteThem) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  const auto written =
      core::set_client_state(home.home->hub, core::EntityId::parse("light.a").value(), {"off", "{}", {}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, base::ErrorCode::conflict);
  EXPECT_EQ(written.error().message, "light.a is provided by home_assistant.home: its state is written there.");
}

TEST(MirrorStates, ManyComeInTurnsOfTheBus) {
  MirrorHome home;
  for (int i = 0; i < 1'000; ++i) home.there("light.l" + std::to_string(i), "on");
  home.start();
  home.mirror->connected({});
  home.mirror->take(home.registries());
  Picture picture{.states = {}, .running = true};
  for (const auto& [id, value] : home.states) picture.states.push_back(home.state(id));
  home.mirror->take(std::move(picture));
  Changes changes;
  home.states["light.l0"] = "off";
  changes.changes.push_back({"light.l0", home.state("light.l0")});
  home.mirror->take(std::move(changes));
  EXPECT_FALSE(home.mirror->idle());
  EXPECT_LT(home.data()->entities.size(), 400u);
  home.home->hub.bus.run_pending();
  EXPECT_TRUE(home.mirror->idle());
  EXPECT_EQ(home.mirror->counts().mirrored, 1'000u);
  EXPECT_EQ(home.value("light.l999"), "on");
  EXPECT_EQ(home.value("light.l0"), "off");
}

TEST(MirrorStates, ALostConnectionAppliesWhatHadCome) {
  MirrorHome home;
  for (int i = 0; i < 600; ++i) home.there("light.l" + std::to_string(i), "on");
  home.start();
  home.mirror->connected({});
  home.mirror->take(home.registries());
  home.mirror->lost();
  EXPECT_EQ(home.mirror->counts().mirrored, 600u);
  home.home->hub.bus.run_pending();
}

TEST(MirrorStates, AHubThatComesAndGoesDoesNotKeepOldOnes) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  for (int i = 0; i < 3; ++i) {
    home.lose();
    home.home->advance(4s);
    home.mirror->connected({});
  }
  EXPECT_EQ(home.value("light.a"), "unavailable");
}

TEST(MirrorStates, AConnectionThatIsGivenUpLeavesItsEntriesReserved) {
  MirrorHome home;
  home.there("light.a", "on");
  home.connect();
  home.mirror->stop();
  EXPECT_EQ(home.value("light.a"), "unavailable");
  home.mirror->forget();
  home.home->hub.bus.run_pending();
  EXPECT_EQ(home.value("light.a"), "");
  EXPECT_TRUE(core::is_reserved(home.entry("light.a")));
}

TEST(MirrorStates, LatencyIsASensor) {
  MirrorHome home;
  home.connect();
  EXPECT_EQ(home.value("binary_sensor.home_connection"), "on");
  home.mirror->take(Latency{7ms});
  EXPECT_EQ(home.value("sensor.home_latency"), "7");
}

TEST(MirrorStates, TheLastUpdateNeverGoesBack) {
  MirrorHome home;
  home.there("light.lamp", "on");
  home.connect();
  home.lose();
  home.home->advance(11s);
  const auto lost = home.home->hub.states.find("light.lamp");
  ASSERT_EQ(lost->value(), "unavailable");
  home.connect();
  const auto back = home.home->hub.states.find("light.lamp");
  EXPECT_EQ(back->value(), "on");
  EXPECT_EQ(back->last_changed(), home.time);
  EXPECT_GT(back->last_updated(), lost->last_updated());
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
