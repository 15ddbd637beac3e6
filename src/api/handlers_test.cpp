// SPDX-License-Identifier: Apache-2.0
// Each handler, text in and text out.
#include <gtest/gtest.h>

#include "api/routes.h"
#include "api/test_home.h"

namespace hearth::api {
namespace {

using namespace std::string_literals;

constexpr std::string_view kMidnight = "2026-11-21T00:00:00.000000+00:00";

class HandlersTest : public testing::Test {
 protected:
  HandlersTest() { home_.start(); }

  // `200 body`, as the user.
  std::string get(std::string_view target) { return text(home_.ask("GET", target, home_.user)); }
  std::string post(std::string_view target, std::string_view body) {
    return text(home_.ask("POST", target, home_.user, body));
  }
  static std::string text(const TestHome::Answer& answer) {
    EXPECT_TRUE(answer.has("Content-Type: application/json"));
    return fmt::format("{} {}", answer.status, answer.body);
  }
  static std::string message(int status, std::string_view what) {
    return fmt::format(R"({} {{"message":"{}"}})", status, what);
  }
  static json::value parse(const TestHome::Answer& answer) { return base::parse_json(answer.body).value(); }

  TestHome home_;
};

TEST_F(HandlersTest, SaysThatTheApiRuns) {
  EXPECT_EQ(text(home_.ask("GET", "/api/", "")), message(200, "API running."));
}

TEST_F(HandlersTest, ListsStatesWithoutTheirContext) {
  EXPECT_EQ(get("/api/states"), "200 []");
  home_.set("light.a", "on", R"({"brightness":1})");
  EXPECT_EQ(get("/api/states"),
            fmt::format(R"(200 [{{"entity_id":"light.a","state":"on","attributes":{{"brightness":1}},)"
                        R"("last_changed":"{0}","last_updated":"{0}"}}])",
                        kMidnight));
}

TEST_F(HandlersTest, ListsManyStates) {
  for (int i = 0; i < 3000; ++i) home_.set(fmt::format("light.number_{}", i), "on");
  std::set<std::string> ids;
  const json::value list = parse(home_.ask("GET", "/api/states", home_.user));
  for (const auto& state : list.as_array()) {
    ids.emplace(state.at("entity_id").as_string());
  }
  EXPECT_EQ(ids.size(), 3000u);
}

TEST_F(HandlersTest, ShowsAStateWithItsContext) {
  home_.set("light.a", "on");
  const std::string expected = fmt::format(
      R"(200 {{"entity_id":"light.a","state":"on","attributes":{{}},"last_changed":"{0}","last_updated":"{0}",)"
      R"("context":{{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","parent_id":null,"user_id":null}}}})",
      kMidnight);
  EXPECT_EQ(get("/api/states/light.a"), expected);
  EXPECT_EQ(get("/api/states/LIGHT.A"), expected);
  EXPECT_EQ(get("/api/states/light.%61"), expected);
  EXPECT_EQ(get("/api/states/light.b"), message(404, "Entity not found."));
  EXPECT_EQ(get("/api/states/not-an-id"), message(404, "Entity not found."));
}

TEST_F(HandlersTest, CreatesAndChangesStates) {
  const auto created = home_.ask("POST", "/api/states/Light.Kitchen", home_.user, R"({"state":"on"})");
  EXPECT_EQ(created.status, 201);
  EXPECT_TRUE(created.has("Location: /api/states/light.kitchen"));
  const json::value state = parse(created);
  EXPECT_EQ(state.at("entity_id"), "light.kitchen");
  EXPECT_EQ(state.at("context").at("user_id"), "user-id");
  EXPECT_TRUE(state.at("context").at("parent_id").is_null());
  EXPECT_EQ(state.at("context").at("id").as_string().size(), 26u);

  home_.clock.advance(std::chrono::seconds(1));
  const auto same = home_.ask("POST", "/api/states/light.kitchen", home_.user, R"({"state":"on"})");
  EXPECT_EQ(same.status, 200);
  EXPECT_EQ(same.body, created.body);
  const auto forced =
      home_.ask("POST", "/api/states/light.kitchen", home_.user, R"({"state":"on","force_update":true})");
  EXPECT_NE(forced.body, created.body);
  const auto changed = home_.ask("POST", "/api/states/light.kitchen", home_.user, R"({"state":"off"})");
  EXPECT_EQ(changed.status, 200);
  EXPECT_FALSE(changed.head.contains("\r\nLocation"));
  EXPECT_EQ(parse(changed).at("last_changed"), "2026-11-21T00:00:01.000000+00:00");
}

TEST_F(HandlersTest, TakesStatesAsTheContractSays) {
  const std::pair<const char*, const char*> values[] = {{R"("on")", R"("on")"},
                                                        {"0", R"("0")"},
                                                        {"21.50", R"("21.50")"},
                                                        {"-1e3", R"("-1e3")"},
                                                        {"true", R"("True")"},
                                                        {"false", R"("False")"},
                                                        {R"("")", R"("")"},
                                                        {R"("\u00e4")", "\"\u00e4\""},
                                                        {"18446744073709551615", R"("18446744073709551615")"}};
  for (const auto& [in, out] : values) {
    const auto answer = home_.ask("POST", "/api/states/a.b", home_.user, fmt::format(R"({{"state":{}}})", in));
    EXPECT_NE(answer.body.find(fmt::format(R"("state":{},)", out)), std::string::npos) << in << ": " << answer.body;
  }
}

TEST_F(HandlersTest, KeepsAttributesAsTheyCame) {
  const std::string attributes = R"({"z":1,"a":1.0,"m":[true,null,{"x":9007199254740993}],"e":1e30})";
  EXPECT_NE(post("/api/states/a.b", R"({"state":"x","attributes":)" + attributes + "}").find(attributes),
            std::string::npos);
  EXPECT_NE(post("/api/states/a.b", R"({"state":"x"})").find(R"("attributes":{})"), std::string::npos);
  EXPECT_NE(post("/api/states/a.c", R"({"state":"x","attributes":null,"other":7})").find(R"("attributes":{})"),
            std::string::npos);
}

TEST_F(HandlersTest, RefusesStatesThatAreWrong) {
  const std::string at = "/api/states/a.b";
  EXPECT_EQ(post(at, "{}"), message(400, "No state specified."));
  EXPECT_EQ(post(at, R"({"state":null})"), message(400, "No state specified."));
  EXPECT_EQ(post(at, "[]"), message(400, "State data should be a JSON object."));
  EXPECT_EQ(post(at, R"({"state":"x","attributes":[]})"), message(400, "attributes: expected an object."));
  EXPECT_EQ(post(at, R"({"state":"x","force_update":1})"), message(400, "force_update: expected true or false."));
  EXPECT_EQ(post(at, fmt::format(R"({{"state":"{}"}})", std::string(256, 'x'))),
            message(400, "Invalid state specified."));
  EXPECT_EQ(post(at, fmt::format(R"({{"state":"{}"}})", std::string(255, 'x'))).substr(0, 3), "201");
  for (const auto& body : {""s, "nonsense"s, R"({"state":"x"} )" + "x"s, R"({"state":NaN})"s, R"({"state":1e400})"s,
                           "{\"state\":\"\xFF\"}"s, std::string(20'000, '['), R"({"state":[]})"s, R"({"state":{}})"s}) {
    EXPECT_EQ(post(at, body).substr(0, 15), R"(400 {"message":)") << body;
  }
  for (const char* id : {"light", "light.", ".a", "light.a.b", "light.a-b", "light._a", "light.a__b", "light.%C3%A4"}) {
    EXPECT_EQ(post("/api/states/"s + id, R"({"state":"x"})"), message(400, "Invalid entity ID specified.")) << id;
  }
}

TEST_F(HandlersTest, RemovesStates) {
  home_.set("light.a", "on");
  EXPECT_EQ(text(home_.ask("DELETE", "/api/states/Light.A", home_.user)), message(200, "Entity removed."));
  EXPECT_EQ(text(home_.ask("DELETE", "/api/states/light.a", home_.user)), message(404, "Entity not found."));
}

TEST_F(HandlersTest, ListsListenersOfEvents) {
  const auto first = home_.hub.bus.listen("door", [](const core::Event&) {});
  const auto second = home_.hub.bus.listen("door", [](const core::Event&) {});
  const auto all = home_.hub.bus.listen("*", [](const core::Event&) {});
  EXPECT_EQ(get("/api/events"), R"(200 [{"event":"*","listener_count":1},{"event":"door","listener_count":2},)"
                                R"({"event":"state_changed","listener_count":1}])");
}

TEST_F(HandlersTest, FiresEvents) {
  struct Listener final : core::EventListener {
    void on_event(const core::EventPtr& event) override {
      std::string data;
      core::write_data_json(data, *event);
      EXPECT_EQ(event->origin, core::Origin::remote);
      EXPECT_TRUE(event->by_client);
      EXPECT_EQ(event->context.user_id, "user-id");
      fired.push_back(event->type + data);
    }
    std::vector<std::string> fired;
  } listener;
  auto& fired = listener.fired;
  const auto subscription = home_.hub.bus.listen(core::EventFilter{}, listener);
  const std::pair<const char*, const char*> bodies[] = {
      {"", "{}"},
      {"{}", "{}"},
      {R"({"event_data":{"a":1}})", R"({"a":1})"},
      {R"({"event_data":null,"x":1})", "{}"},
      {R"({"a":1,"b":2.50})", R"({"a":1,"b":2.5})"},
  };
  for (const auto& [body, data] : bodies)
    EXPECT_EQ(post("/api/events/Door.open", body), message(200, "Event Door.open fired."));
  home_.hub.bus.stop();
  ASSERT_EQ(fired.size(), std::size(bodies));
  for (std::size_t i = 0; i < fired.size(); ++i) EXPECT_EQ(fired[i], "Door.open"s + bodies[i].second);
}

TEST_F(HandlersTest, RefusesEventsThatAreWrong) {
  EXPECT_EQ(post("/api/events/door", "nonsense"), message(400, "Event data should be valid JSON."));
  EXPECT_EQ(post("/api/events/door", "[]"), message(400, "Event data should be a JSON object"));
  EXPECT_EQ(post("/api/events/door", R"({"event_data":[]})"), message(400, "event_data: expected an object."));
  EXPECT_EQ(post("/api/events/*", "").substr(0, 3), "400");
  EXPECT_EQ(post("/api/events/" + std::string(65, 'x'), "").substr(0, 3), "400");
  EXPECT_EQ(post("/api/events/" + std::string(64, 'x'), "").substr(0, 3), "200");
  EXPECT_EQ(post("/api/events/a%0Ab", "").substr(0, 3), "400");
}

TEST_F(HandlersTest, ShowsTheConfigurationToAdministrators) {
  const json::value config = parse(home_.ask("GET", "/api/config", home_.admin));
  std::string keys;
  for (const auto& [key, value] : config.as_object()) keys += std::string(key) + " ";
  EXPECT_EQ(
      keys,
      "location_name version uuid base_url internal_url external_url state components config_dir latitude longitude "
      "elevation time_zone unit_system currency country language config_source yaml_keys allowlist_external_dirs "
      "whitelist_external_dirs safe_mode recovery_mode ");
  EXPECT_EQ(config.at("state"), "RUNNING");
  EXPECT_EQ(config.at("base_url"), "http://127.0.0.1:8123");
  EXPECT_TRUE(config.at("country").is_null());
  EXPECT_EQ(config.at("unit_system").at("temperature"), "°C");
}

TEST_F(HandlersTest, ShowsWhatRuns) {
  EXPECT_EQ(get("/api/components"), R"(200 ["api","light"])");
  EXPECT_EQ(get("/api/core/state"),
            R"(200 {"state":"RUNNING","recorder_state":{"migration_in_progress":false,"migration_is_live":false,)"
            R"("recording":false,"thread_running":false}})");
}

TEST_F(HandlersTest, DescribesEveryEndpoint) {
  const json::value document = parse(home_.ask("GET", "/api/openapi.json", ""));
  EXPECT_EQ(document.at("openapi"), "3.1.0");
  EXPECT_EQ(document.at("info").at("version"), "2026.11.0");
  for (const Endpoint& endpoint : endpoints()) {
    const auto verb = boost::beast::http::to_string(endpoint.method);
    const json::value& operation =
        document.at("paths").at(endpoint.path).at(core::lower_case({verb.data(), verb.size()}));
    const json::object& responses = operation.at("responses").as_object();
    for (const Answer& answer : endpoint.answers) EXPECT_TRUE(responses.contains(std::to_string(answer.status)));
    EXPECT_EQ(responses.contains("401"), !is_open(endpoint.access)) << endpoint.path;
    if (!is_open(endpoint.access)) EXPECT_TRUE(responses.contains("403")) << endpoint.path;
    EXPECT_EQ(operation.as_object().contains("requestBody"), endpoint.body != nullptr) << endpoint.path;
  }
}

}  // namespace
}  // namespace hearth::api
