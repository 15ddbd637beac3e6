// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/json/json_fields.h"
#include "integrations/home_assistant/protocol/text_parts.h"

namespace hearth::integrations::home_assistant {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string state_line(const OtherState& state) {
  return fmt::format("{}={}{}", state.entity_id, state.value, base::to_json(state.attributes));
}

// One line for each message.
struct NewsText {
  std::string operator()(const Opened& it) {
    return fmt::format("opened {} {} {}", it.hub.version, it.hub.administrator ? "administrator" : "user",
                       fmt::join(it.hub.missing, ","));
  }
  std::string operator()(const Registries& it) {
    std::string out = fmt::format("registries {}", it.complete ? "" : "incomplete");
    for (const auto& one : it.entities) out += fmt::format("{}:{} ", one.entity_id, one.unique_id);
    return out;
  }
  std::string operator()(const Services& it) {
    std::string out = "services";
    for (const auto& one : it.services)
      out += fmt::format(" {}.{} {}", one.domain, one.service, base::text_at(one.description, "name"));
    return out;
  }
  std::string operator()(const Picture& it) {
    std::vector<std::string> lines;
    for (const OtherState& state : it.states) lines.push_back(state_line(state));
    std::ranges::sort(lines);
    return fmt::format("picture {}{}", it.running ? "whole " : "", fmt::join(lines, " "));
  }
  std::string operator()(const Running&) { return "running"; }
  std::string operator()(const Changes& it) {
    std::string out = "changes";
    for (const Change& one : it.changes) out += " " + (one.state ? state_line(*one.state) : one.entity_id + " gone");
    return out;
  }
  std::string operator()(const OtherEvent& it) { return "event " + it.type + base::to_json(it.data); }
  std::string operator()(const Answer& it) {
    return fmt::format("answer {} {} {}{}", it.number, static_cast<int>(it.outcome), base::to_json(it.result),
                       base::to_json(it.error));
  }
  std::string operator()(const Message& it) { return fmt::format("message {} {}", it.number, base::to_json(it.event)); }
  std::string operator()(const Lost& it) { return fmt::format("lost {} {}", static_cast<int>(it.why), it.message); }
  std::string operator()(const Latency& it) { return fmt::format("latency {}", it.time.count()); }
};

// A hub there that the test plays: it answers what `answers` has, by type.
class MadeSession final : public SessionWire {
 public:
  explicit MadeSession(SessionOptions options = {.token = core::Secret("t")}) : session(std::move(options), *this) {
    answers = {{"supported_features", "null"},
               {"get_config", R"({"version":"2026.2.3","state":"RUNNING"})"},
               {"auth/current_user", R"({"id":"0f","name":"Ann","is_admin":true})"},
               {"auth/refresh_tokens", "[]"},
               {"config/floor_registry/list", "[]"},
               {"config/label_registry/list", "[]"},
               {"config/area_registry/list", "[]"},
               {"config/device_registry/list", "[]"},
               {"config/entity_registry/list", R"([{"entity_id":"light.a","unique_id":"1","platform":"hue"}])"},
               {"config/entity_registry/get_entries", R"({})"},
               {"get_services", R"({"light":{"turn_on":{"name":"On"}}})"},
               {"subscribe_events", "null"},
               {"unsubscribe_events", "null"},
               {"subscribe_entities", "null"}};
  }

  void open() {
    session.opened();
    says(R"({"type":"auth_required","ha_version":"2026.2.3"})");
    says(R"({"type":"auth_ok"})");
    answer();
  }
  // Answers all commands that have come, and those that follow from the answers.
  void answer() {
    while (!unanswered.empty()) {
      const json::object command = unanswered.front();
      unanswered.pop_front();
      const std::string type = base::text_at(command, "type");
      const auto id = command.at("id").as_int64();
      if (type == "ping") {
        says(fmt::format(R"({{"id":{},"type":"pong"}})", id));
        continue;
      }
      const auto found = answers.find(type);
      if (found == answers.end()) {
        error(id, "unknown_command");
        continue;
      }
      if (found->second.starts_with("!")) {
        if (found->second.size() > 1) error(id, found->second.substr(1));
        continue;
      }
      says(fmt::format(R"({{"id":{},"type":"result","success":true,"result":{}}})", id, found->second));
      if (type == "subscribe_entities") entities(picture);
    }
    settle();
  }
  void error(std::int64_t id, std::string_view code) {
    says(
        fmt::format(R"({{"id":{},"type":"result","success":false,"error":{{"code":"{}","message":"no"}}}})", id, code));
  }
  void says(std::string_view text) { session.receive(text); }
  // An event of the last subscription of this type of command, and of event.
  void entities(std::string_view event) { event_of("subscribe_entities", "", event); }
  void event_of(std::string_view type, std::string_view event_type, std::string_view event) {
    for (auto it = commands.rbegin(); it != commands.rend(); ++it) {
      if (base::text_view_at(*it, "type") == type && base::text_view_at(*it, "event_type") == event_type)
        return says(fmt::format(R"({{"id":{},"type":"event","event":{}}})", it->at("id").as_int64(), event));
    }
    ADD_FAILURE() << "not subscribed: " << type << ' ' << event_type;
  }
  void registry_changed() {
    event_of("subscribe_events", "entity_registry_updated", R"({"event_type":"entity_registry_updated","data":{}})");
  }
  // What is due now.
  void settle() {
    while (wake && *wake <= clock.steady_now()) {
      wake.reset();
      session.on_time();
    }
  }
  void advance(base::Duration time) {
    const auto end = clock.steady_now() + time;
    while (clock.steady_now() < end) {
      const auto next = wake ? std::clamp(*wake, clock.steady_now(), end) : end;
      clock.advance(next - clock.steady_now());
      settle();
      if (answering) answer();
    }
  }
  // Since the last call.
  std::string news() {
    settle();
    return fmt::format("{}", fmt::join(std::exchange(told, {}), "\n"));
  }
  std::size_t count(std::string_view type) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        commands, [&](const json::object& one) { return base::text_view_at(one, "type") == type; }));
  }

  void send(std::string text) override {
    const json::object command = object_of(text);
    if (base::text_view_at(command, "type") == "auth") {
      auth = text;
      return;
    }
    commands.push_back(command);
    unanswered.push_back(command);
  }
  void end(Lost::Why why, std::string message) override {
    ended = fmt::format("{} {}", static_cast<int>(why), message);
    unanswered.clear();
  }
  void tell(News one) override { told.push_back(std::visit(NewsText(), one)); }
  void wake_at(std::optional<base::SteadyTime> time) override { wake = time; }
  base::SteadyTime now() const override { return clock.steady_now(); }
  base::Timestamp time() const override { return clock.now(); }

  base::ManualClock clock;
  std::map<std::string, std::string> answers;  // "!" none; "!code" an error
  std::string picture = R"({"a":{"light.a":{"s":"on","a":{},"c":"1","lc":1}}})";
  std::deque<json::object> unanswered;
  std::vector<json::object> commands;
  std::vector<std::string> told;
  std::string auth, ended;
  std::optional<base::SteadyTime> wake;
  bool answering = false;
  Session session;
};

constexpr std::string_view kFirst =
    "latency 0\n"
    "opened 2026.2.3 administrator \n"
    "services light.turn_on On\n"
    "registries light.a:1 \n"
    "running\n"
    "picture whole light.a=on{}";

std::vector<std::string> sorted_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(BridgeSession, TellsTheHubItsRegistriesServicesAndStates) {
  MadeSession made;
  made.open();
  EXPECT_EQ(made.auth, R"({"type":"auth","access_token":"t"})");
  EXPECT_EQ(base::text_view_at(made.commands.at(0), "type"), "supported_features");
  const std::string news = made.news();
  EXPECT_EQ(sorted_lines(news), sorted_lines(kFirst)) << news;
  EXPECT_LT(news.find("opened"), news.find("registries"));
  EXPECT_LT(news.find("registries"), news.find("running"));
  made.entities(R"({"c":{"light.a":{"+":{"s":"off"}}},"a":{"light.b":{"s":"on","a":{"x":1}}}})");
  EXPECT_EQ(made.news(), R"(changes light.a=off{} light.b=on{"x":1})");
  made.entities(R"({"r":["light.b"]})");
  EXPECT_EQ(made.news(), "changes light.b gone");
  EXPECT_EQ(made.ended, "");
}

TEST(BridgeSession, SpeaksWithAHubOf2021) {
  MadeSession made;
  for (const char* const type : {"supported_features", "config/floor_registry/list", "config/label_registry/list",
                                 "config/entity_registry/get_entries", "subscribe_entities", "auth/refresh_tokens"})
    made.answers.erase(type);
  made.answers["get_config"] = R"({"version":"2021.12.10","state":"RUNNING"})";
  made.answers["config/entity_registry/list"] = R"([{"entity_id":"light.a","platform":"hue"}])";
  made.answers["config/entity_registry/get"] = R"({"entity_id":"light.a","platform":"hue","unique_id":"7"})";
  made.answers["get_states"] = R"([{"entity_id":"light.a","state":"on","attributes":{"y":1}}])";
  made.open();
  const std::string news = made.news();
  EXPECT_NE(news.find("config/floor_registry/list,config/label_registry/list,subscribe_entities"), std::string::npos)
      << news;
  EXPECT_NE(news.find("registries light.a:7"), std::string::npos) << news;
  EXPECT_TRUE(news.ends_with("running\npicture whole light.a=on{\"y\":1}")) << news;
  made.event_of("subscribe_events", "state_changed",
                R"({"event_type":"state_changed","data":{"entity_id":"light.a","new_state":
                   {"entity_id":"light.a","state":"off","attributes":{}}}})");
  EXPECT_EQ(made.news(), "changes light.a=off{}");
  made.event_of("subscribe_events", "state_changed", R"({"data":{"entity_id":"light.a","new_state":null}})");
  EXPECT_EQ(made.news(), "changes light.a gone");
}

TEST(BridgeSession, AsksTheHubToFilterAndFiltersItselfIfThatCannot) {
  SessionOptions options{.token = core::Secret("t")};
  options.filter.include.domains = {"light"};
  MadeSession made(options);
  made.picture = R"({"a":{"light.a":{"s":"on"},"sensor.x":{"s":"1"}}})";
  made.answers["subscribe_entities"] = "!invalid_format";
  made.open();
  EXPECT_EQ(made.count("subscribe_entities"), 2u);
  EXPECT_EQ(made.count("get_states"), 1u) << "the answer to both was an error";
  MadeSession new_hub(options);
  new_hub.picture = made.picture;
  new_hub.open();
  EXPECT_TRUE(new_hub.news().ends_with("picture whole light.a=on{}"));
  for (const json::object& one : new_hub.commands) {
    if (base::text_view_at(one, "type") == "subscribe_entities")
      EXPECT_EQ(base::to_json(one.at("include")), R"({"domains":["light"]})");
  }
  new_hub.entities(R"({"a":{"sensor.y":{"s":"1"}},"c":{"sensor.x":{"+":{"s":"2"}}}})");
  EXPECT_EQ(new_hub.news(), "");
}

TEST(BridgeSession, IsNotWholeUntilTheHubThereRuns) {
  MadeSession made;
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"NOT_RUNNING"})";
  made.open();
  EXPECT_TRUE(made.news().ends_with("picture light.a=on{}"));
  made.answering = true;
  made.advance(seconds(7));
  EXPECT_EQ(made.count("get_config"), 4u);
  made.entities(R"({"a":{"light.b":{"s":"off"}}})");
  EXPECT_EQ(made.news(), "changes light.b=off{}");
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"RUNNING"})";
  made.event_of("subscribe_events", "homeassistant_started", R"({"event_type":"homeassistant_started"})");
  made.answer();
  made.advance(milliseconds(60));
  EXPECT_EQ(made.news(), "registries light.a:1 \nrunning\npicture whole light.a=on{} light.b=off{}");
  made.advance(seconds(3));
  EXPECT_EQ(made.count("get_config"), 5u) << "it is not asked any more";
}

TEST(BridgeSession, AsksAStartingHubForTenMinutes) {
  MadeSession made;
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"NOT_RUNNING"})";
  made.open();
  made.answering = true;
  made.advance(std::chrono::minutes(10));
  const std::size_t asked = made.count("get_config");
  EXPECT_GE(asked, 299u);
  made.advance(std::chrono::minutes(1));
  EXPECT_LE(made.count("get_config"), asked + 1);
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"RUNNING"})";
  made.event_of("subscribe_events", "homeassistant_started", R"({})");
  made.answer();
  made.advance(milliseconds(60));
  EXPECT_NE(made.news().find("running\npicture whole light.a=on{}"), std::string::npos);
}

TEST(BridgeSession, TriesNoSecondTimeWhenTheTokenIsRefused) {
  MadeSession made;
  made.session.opened();
  made.says(R"({"type":"auth_required"})");
  made.says(R"({"type":"auth_invalid","message":"Invalid access token"})");
  EXPECT_EQ(made.ended, "1 refuses the token: Invalid access token");
  made.session.lost({.why = Lost::Why::refused, .message = "x"});
  EXPECT_EQ(made.news(), "lost 1 x");
}

TEST(BridgeSession, EndsAConnectionThatIsNoHub) {
  for (const std::string_view text : {"<html>", "7", "[1]", R"({"type":)", ""}) {
    MadeSession made;
    made.session.opened();
    made.says(text);
    EXPECT_EQ(made.ended, "2 sends what is no message of Home Assistant") << text;
    made.says(R"({"type":"auth_required"})");
    EXPECT_EQ(made.auth, "");
  }
  MadeSession silent;
  silent.session.opened();
  silent.says(R"({"type":"hello"})");
  silent.advance(seconds(9));
  EXPECT_EQ(silent.ended, "");
  silent.advance(seconds(1));
  EXPECT_EQ(silent.ended, "2 does not greet as Home Assistant does");
  EXPECT_EQ(silent.session.unknown_messages(), 1u);
}

TEST(BridgeSession, IgnoresWhatItDoesNotKnow) {
  MadeSession made;
  made.open();
  made.news();
  made.says(R"({"type":"news","id":3})");
  made.says(
      R"([{"id":99,"type":"event","event":{}},{"id":99,"type":"result","success":true},{"type":"pong","id":77}])");
  made.says(R"({"id":2,"type":"result","success":true,"result":{"state":"NOT_RUNNING"}})");
  EXPECT_EQ(made.news(), "") << "a second answer with one id";
  EXPECT_EQ(made.ended, "");
}

TEST(BridgeSession, PassesCommandsOfTheMirrorOn) {
  MadeSession made;
  made.session.send(1, {{"type", "call_service"}}, seconds(30));
  EXPECT_EQ(made.news(), "answer 1 2 null{}") << "unreachable";
  made.open();
  made.news();
  made.answers["call_service"] = R"({"context":{"id":"c"}})";
  made.session.send(2, {{"type", "call_service"}}, seconds(30));
  made.answer();
  EXPECT_EQ(made.news(), R"(answer 2 0 {"context":{"id":"c"}}{})");
  made.answers["call_service"] = "!not_found";
  made.session.send(3, {{"type", "call_service"}}, seconds(30));
  made.answer();
  EXPECT_EQ(made.news(), R"(answer 3 1 null{"code":"not_found","message":"no"})");
  made.answers["call_service"] = "!";
  made.session.send(4, {{"type", "call_service"}}, seconds(3));
  made.session.send(5, {{"type", "call_service"}}, seconds(30));
  made.answer();
  made.advance(seconds(3));
  EXPECT_EQ(made.news(), "answer 4 4 null{}") << "late";
  made.session.lost({.message = "x"});
  EXPECT_EQ(made.news(), "answer 5 3 null{}\nlost 0 x") << "it is not known whether it was done";
  made.session.lost({.message = "y"});
  EXPECT_EQ(made.news(), "lost 0 y") << "the next attempt";
}

TEST(BridgeSession, FollowsWhatTheMirrorAsksFor) {
  MadeSession made;
  made.open();
  made.news();
  made.answers["subscribe_trigger"] = "null";
  made.session.subscribe(7, {{"type", "subscribe_trigger"}});
  made.answer();
  EXPECT_EQ(made.news(), "answer 7 0 null{}");
  made.event_of("subscribe_trigger", "", R"({"variables":{}})");
  EXPECT_EQ(made.news(), R"(message 7 {"variables":{}})");
  made.session.unsubscribe(7);
  EXPECT_EQ(made.commands.back().at("subscription"), made.commands.at(made.commands.size() - 2).at("id"));
  made.event_of("subscribe_trigger", "", R"({"variables":{}})");
  EXPECT_EQ(made.news(), "");
}

TEST(BridgeSession, TellsEventsThatAreAskedFor) {
  MadeSession made({.token = core::Secret("t"), .receive = {"zha_event", "state_changed"}});
  made.open();
  made.news();
  made.event_of("subscribe_events", "zha_event", R"({"event_type":"zha_event","data":{"command":"on"}})");
  EXPECT_EQ(made.news(), R"(event zha_event{"command":"on"})");
  for (const json::object& one : made.commands) EXPECT_NE(base::text_view_at(one, "event_type"), "state_changed");
  MadeSession all({.token = core::Secret("t"), .receive = {"*", "zha_event"}});
  all.open();
  all.news();
  all.event_of("subscribe_events", "", R"({"event_type":"state_changed","data":{}})");
  all.event_of("subscribe_events", "", R"({"event_type":"zha_event","data":{}})");
  EXPECT_EQ(all.news(), "event zha_event{}");
}

TEST(BridgeSession, ListsTheRegistriesAgainAndHoldsWhatIsNewUntilThen) {
  MadeSession made;
  made.open();
  made.news();
  made.registry_changed();
  made.registry_changed();
  made.entities(R"({"r":["light.a"],"a":{"light.renamed":{"s":"on"}}})");
  EXPECT_EQ(made.news(), "");
  made.answers["config/entity_registry/list"] = R"([{"entity_id":"light.renamed","unique_id":"1"}])";
  made.answering = true;
  made.advance(seconds(3));
  EXPECT_EQ(made.news(), "registries light.renamed:1 \nchanges light.a gone light.renamed=on{}");
  EXPECT_EQ(made.count("config/entity_registry/list"), 2u) << "once for both";
}

TEST(BridgeSession, GetsNamesOfServicesInTheLanguageOfTheHome) {
  MadeSession made({.token = core::Secret("t"), .language = "de"});
  made.answers["get_services"] = R"({"light":{"turn_on":{},"turn_off":{}}})";
  made.answers["frontend/get_translations"] = R"({"resources":{"component.light.services.turn_on.name":"An"}})";
  made.open();
  EXPECT_EQ(made.count("frontend/get_translations"), 2u) << "and English";
  EXPECT_NE(made.news().find("services light.turn_on An light.turn_off "), std::string::npos);
  made.event_of("subscribe_events", "service_registered", "{}");
  made.answering = true;
  made.advance(seconds(6));
  EXPECT_EQ(made.count("get_services"), 2u);
}

TEST(BridgeSession, MirrorsStatesAloneIfTheRegistryCannotBeListed) {
  for (const std::string answer : {"!unauthorized", "!"}) {
    MadeSession made;
    made.answers["config/entity_registry/list"] = answer;
    made.open();
    made.answering = true;
    made.advance(seconds(31));
    const std::string news = made.news();
    EXPECT_NE(news.find("registries incomplete"), std::string::npos) << news;
    EXPECT_NE(news.find("picture whole light.a=on{}"), std::string::npos) << news;
  }
}

TEST(BridgeSession, EndsAConnectionThatDoesNotAnswer) {
  MadeSession made;
  made.answers["subscribe_entities"] = "!";
  made.open();
  made.answering = true;
  made.advance(seconds(30));
  EXPECT_EQ(made.ended, "2 does not answer subscribe_entities within 30 s");
}

TEST(BridgeSession, PingsASilentHub) {
  MadeSession made;
  made.open();
  made.advance(seconds(24));
  EXPECT_EQ(made.count("ping"), 1u) << "the first one measures the latency";
  made.advance(seconds(1));
  EXPECT_EQ(made.count("ping"), 2u);
  made.clock.advance(milliseconds(7));
  made.news();
  made.answer();
  EXPECT_EQ(made.news(), "latency 7");
  made.advance(seconds(26));
  EXPECT_EQ(made.count("ping"), 3u);
  made.advance(seconds(8));
  EXPECT_EQ(made.ended, "");
  made.advance(seconds(3));
  EXPECT_EQ(made.ended, "0 does not answer any more");
}

TEST(BridgeSession, LetsTheNewestOfTooManyChangesThroughWhenTheSecondIsOver) {
  MadeSession made({.token = core::Secret("t"), .max_updates = 2});
  made.open();
  made.news();
  for (int i = 0; i < 5; ++i) made.entities(fmt::format(R"({{"c":{{"light.a":{{"+":{{"s":"{}"}}}}}}}})", i));
  EXPECT_EQ(made.news(), "changes light.a=0{} light.a=1{}");
  made.advance(milliseconds(900));
  EXPECT_EQ(made.news(), "");
  made.advance(milliseconds(100));
  EXPECT_EQ(made.news(), "changes light.a=4{}");
  made.advance(seconds(2));
  EXPECT_EQ(made.news(), "");
  for (int i = 0; i < 3; ++i) made.entities(fmt::format(R"({{"c":{{"light.a":{{"+":{{"s":"{}"}}}}}}}})", i));
  made.entities(R"({"r":["light.a"]})");
  EXPECT_EQ(made.news(), "changes light.a=0{} light.a=1{} light.a gone");
  made.advance(seconds(2));
  EXPECT_EQ(made.news(), "");
}

TEST(BridgeSession, AsksForAllStatesWhenAChangeDoesNotFitButNotTooOften) {
  MadeSession made;
  made.open();
  made.answering = true;
  made.news();
  made.advance(seconds(11));
  made.entities(R"({"c":{"light.none":{"+":{"s":"on"}}}})");
  made.picture = R"({"a":{"light.none":{"s":"on"}}})";
  made.answer();
  EXPECT_EQ(made.count("subscribe_entities"), 2u);
  EXPECT_EQ(made.news(), "picture whole light.none=on{}");
  made.entities(R"({"c":{"light.other":{"+":{"s":"on"}}}})");
  made.session.ask_again();
  made.advance(seconds(9));
  EXPECT_EQ(made.count("subscribe_entities"), 2u);
  made.advance(seconds(1));
  EXPECT_EQ(made.count("subscribe_entities"), 3u);
  EXPECT_EQ(made.count("unsubscribe_events"), 2u);
}

TEST(BridgeSession, CutsAFlood) {
  MadeSession made;
  made.open();
  std::string text = R"({"c":{)";
  for (int i = 0; i < 5'100; ++i) text += fmt::format(R"({}"light.a":{{"+":{{"s":"{}"}}}})", i ? "," : "", i);
  text += "}}";
  for (int second = 0; second < 10; ++second) {
    made.entities(text);
    made.advance(seconds(1));
  }
  EXPECT_EQ(made.ended, "");
  made.entities(text);
  made.advance(seconds(1));
  made.entities(text);
  EXPECT_EQ(made.ended, "3 sends more than 5000 changes a second");
}

TEST(BridgeSession, SplitsWhatOneFrameHolds) {
  MadeSession made;
  made.open();
  made.news();
  std::string text = R"({"a":{)";
  for (int i = 0; i < 600; ++i) text += fmt::format(R"({}"light.n{}":{{"s":"on"}})", i ? "," : "", i);
  made.entities(text + "}}");
  made.settle();
  EXPECT_EQ(made.told.size(), 3u);
}

TEST(BridgeSession, BeginsAnewWithEachConnection) {
  MadeSession made;
  made.open();
  made.news();
  for (int i = 0; i < 50; ++i) {
    made.entities(R"({"c":{"light.a":{"+":{"s":"off"}}}})");
    made.session.lost({.message = "x"});
    made.unanswered.clear();
    EXPECT_EQ(made.news(), "changes light.a=off{}\nlost 0 x");
    made.open();
    const std::string news = made.news();
    ASSERT_EQ(sorted_lines(news), sorted_lines(kFirst)) << news;
    made.commands.clear();
    made.session.ask_again();
    made.advance(seconds(10));
    made.answer();
    EXPECT_EQ(made.news(), "picture whole light.a=on{}");
  }
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
