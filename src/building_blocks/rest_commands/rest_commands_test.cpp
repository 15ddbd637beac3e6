// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/rest_commands/rest_commands.h"

#include <deque>
#include <mutex>

#include "automation/test_automations.h"
#include "net/testing/scripted_server.h"

namespace hearth::building_blocks {
namespace {

using automation::test_node;
using net::testing::ScriptedPeer;
using net::testing::ScriptedServer;

RestConfiguration read_rest(std::string_view text) {
  automation::Sections sections;
  sections.commands.emplace_back("rest_command",
                                 test_node(json::value(base::parse_json(text).value()), "rest_command"));
  return parse_rest_commands(sections);
}
std::string rest_errors_in(std::string_view text) {
  std::string all;
  for (const std::string& error : errors_of(read_rest(text))) all += error + "\n";
  return all;
}

TEST(RestCommandParser, TakesAllKeys) {
  const auto made = read_rest(R"({"a": {"url": "http://host.test/{{ x }}", "method": "PUT", "payload": "{{ y }}",
      "headers": {"X-A": "{{ z }}", "content-type": "b"}, "content_type": "application/json", "username": "u", "password": "p",
      "authentication": "digest", "timeout": 3, "verify_ssl": false, "allow_template_host": true}})");
  EXPECT_EQ(errors_of(made), std::vector<std::string>());
  const RequestPlan& request = made.plans.at(0)->request;
  EXPECT_EQ(request.method, "PUT");
  EXPECT_EQ(request.headers.size(), 2U);
  EXPECT_EQ(request.headers.back().second.text(), "application/json");
  EXPECT_EQ(request.credentials->kind, net::HttpCredentials::Kind::digest);
  EXPECT_EQ(request.timeout, std::chrono::seconds(3));
  EXPECT_FALSE(request.verify_ssl);
}

TEST(RestCommandParser, NamesWhatIsWrong) {
  EXPECT_TRUE(
      rest_errors_in(R"({"a": "http://x"})").starts_with("f.yaml:1: rest_command.a: expected keys with values"));
  EXPECT_TRUE(rest_errors_in(R"({"a": {}})").contains("url"));
  EXPECT_TRUE(rest_errors_in(R"({"a": {"url": "ftp://x"}})").starts_with("f.yaml:1: rest_command.a.url: "));
  EXPECT_TRUE(rest_errors_in(R"({"a": {"url": "http://x/{{"}})").contains("a.url: the template does not compile"));
  EXPECT_TRUE(rest_errors_in(R"({"a": {"url": "http://x", "method": "brew"}})").contains("a.method: expected"));
  EXPECT_TRUE(rest_errors_in(R"({"a": {"url": "http://x", "headers": {"A": "b\r\nC: d"}}})").contains("a.headers.A: "));
  EXPECT_TRUE(rest_errors_in(R"({"a": {"url": "http://x", "timeout": 0}})").contains("a.timeout: expected"));
  EXPECT_TRUE(rest_errors_in(R"({"a": {"url": "http://x", "paylod": "b"}})").contains("did you mean payload?"));
}

class RestCommandsTest : public ::testing::Test {
 protected:
  ~RestCommandsTest() override {
    commands_.stop();
    reactor_.stop();
  }

  // A server that keeps what it is asked, and gives these answers in turn.
  ScriptedServer server(std::vector<std::string> answers) {
    return ScriptedServer([this, answers = std::move(answers)](ScriptedPeer& peer) {
      std::string head = peer.receive_until("\r\n\r\n");
      if (head.empty()) return;
      std::size_t turn;
      {
        const std::lock_guard lock(mutex_);
        asked_ += head;
        turn = turns_++;
      }
      peer.send(answers.at(turn % answers.size()));
    });
  }
  static std::string answer(std::string_view body, std::string_view type, std::string_view status = "200 OK") {
    return fmt::format(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nX-A: 1\r\nX-A: 2\r\nConnection: close\r\n"
        "Content-Length: {}\r\n\r\n{}",
        status, type, body.size(), body);
  }
  std::string asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  void apply(std::string_view text) {
    const auto made = read_rest(text);
    EXPECT_EQ(errors_of(made), std::vector<std::string>());
    commands_.apply(made);
    automations_.run();
  }
  std::string call(std::string_view name, std::string_view data = "{}", const core::Rights& rights = {}) {
    core::ServiceRequest request;
    request.domain = "rest_command";
    request.service = name;
    request.data = base::parse_json(data).value().as_object();
    request.context = core::Context::create(automations_.home.clock.now());
    request.rights = rights;
    request.return_response = true;
    std::string said;
    automations_.home.hub.services.call(std::move(request), [&](base::Result<core::CallOutcome> outcome) {
      said = outcome ? base::to_json(outcome->response) : outcome.error().message;
    });
    while (said.empty()) automations_.run();
    return said;
  }

  std::mutex mutex_;
  std::string asked_;
  std::size_t turns_ = 0;
  automation::TestAutomations automations_;
  net::Reactor reactor_;
  net::HttpClient http_{reactor_, [this](std::size_t bytes, std::function<void()> task) {
                          return automations_.home.hub.bus.post(core::IfFull::fail, bytes, std::move(task)).has_value();
                        }};
  RestCommands commands_{automations_.engine.home(), http_};
};

TEST_F(RestCommandsTest, SendWhatTheTemplatesGive) {
  const ScriptedServer there = server({answer(R"({"a": [1]})", "application/json; charset=utf-8")});
  apply(
      fmt::format(R"({{"a": {{"url": "http://127.0.0.1:{}/x?y={{{{ y }}}}", "method": "post", "payload": "{{{{ z }}}}",
                        "headers": {{"X-Token": "{{{{ t }}}}"}}}}}})",
                  there.port()));
  const std::string said = call("a", R"({"y": "ä b", "z": "text", "t": "secret"})");
  EXPECT_TRUE(said.starts_with(R"({"content":{"a":[1]},"status":200,"headers":{)")) << said;
  EXPECT_TRUE(said.contains(R"("X-A":"1, 2")")) << said;
  EXPECT_TRUE(asked().starts_with("POST /x?y=%C3%A4%20b HTTP/1.1\r\n")) << asked();
  EXPECT_TRUE(asked().contains("X-Token: secret\r\n"));
  EXPECT_TRUE(asked().contains("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_TRUE(asked().contains("Content-Length: 4\r\n"));
}

TEST_F(RestCommandsTest, AnswerWithTextOfAnyCharset) {
  const ScriptedServer there = server({answer("a\xE4", "text/plain; charset=iso-8859-1", "404 Not Found"),
                                       answer("a\xE4", "text/html"), answer("<html>", "application/json")});
  apply(fmt::format(R"({{"a": {{"url": "http://127.0.0.1:{}/"}}}})", there.port()));
  EXPECT_TRUE(call("a").starts_with("{\"content\":\"aä\",\"status\":404,"));
  EXPECT_TRUE(call("a").starts_with("{\"content\":\"a\uFFFD\",\"status\":200,"));
  EXPECT_TRUE(call("a").starts_with("rest_command.a: the answer calls itself JSON, which it is not: "));
}

TEST_F(RestCommandsTest, GoToTheHostOfTheConfigurationOnly) {
  const ScriptedServer there = server({answer("", "text/plain")});
  const std::string here = fmt::format("127.0.0.1:{}", there.port());
  apply(fmt::format(R"({{"whole": {{"url": "{{{{ url }}}}"}}, "tail": {{"url": "http://{0}{{{{ tail }}}}"}},
                        "open": {{"url": "{{{{ url }}}}", "allow_template_host": true}},
                        "state": {{"url": "http://{{{{ states('sensor.host') }}}}/"}}}})",
                    here));
  constexpr std::string_view kRefused = "the fields of the call would say to which host it goes";
  automations_.set("sensor.host", here);
  const std::string url = json::serialize(json::object{{"url", "http://" + here + "/"}});
  EXPECT_TRUE(call("whole", url).contains(kRefused));
  for (const char* const tail : {R"({"tail": "@other.test/"})", R"({"tail": "1/"})", R"({"tail": ".other.test"})"})
    EXPECT_FALSE(call("tail", tail).contains("\"status\":200")) << tail;
  EXPECT_EQ(asked(), "");
  EXPECT_TRUE(call("tail", R"({"tail": "/a"})").contains("\"status\":200"));
  EXPECT_TRUE(call("open", url).contains("\"status\":200"));
  EXPECT_TRUE(call("state").contains("\"status\":200"));
}

TEST_F(RestCommandsTest, DoNotLetAFieldSplitTheRequest) {
  const ScriptedServer there = server({answer("", "text/plain")});
  apply(fmt::format(R"({{"a": {{"url": "http://127.0.0.1:{}/{{{{ y }}}}", "headers": {{"X-A": "{{{{ x }}}}"}}}}}})",
                    there.port()));
  EXPECT_TRUE(call("a", R"({"x": "1\r\nX-Evil: 2", "y": ""})").starts_with("rest_command.a: "));
  EXPECT_EQ(asked(), "");
  call("a", R"({"x": "1", "y": "a HTTP/1.1\r\nX-Evil: 2"})");
  EXPECT_FALSE(asked().contains("\r\nX-Evil"));
}

TEST_F(RestCommandsTest, FailWithTheServer) {
  const ScriptedServer there = server({"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\nx"});
  apply(fmt::format(R"({{"a": {{"url": "http://127.0.0.1:{}/"}}, "gone": {{"url": "http://127.0.0.1:1/"}}}})",
                    there.port()));
  EXPECT_TRUE(call("a").starts_with("rest_command.a: "));
  EXPECT_TRUE(call("gone").starts_with("rest_command.gone: "));
}

TEST_F(RestCommandsTest, AreForThoseWhoControlAllOrWhosePolicyNamesThem) {
  const ScriptedServer there = server({answer("", "text/plain")});
  apply(fmt::format(R"({{"a": {{"url": "http://127.0.0.1:{}/"}}}})", there.port()));
  const auto with = [](core::Selection control) {
    return core::Rights(core::Role::user, std::make_shared<const core::Policy>(
                                              core::Policy{.read = {.all = true}, .control = std::move(control)}));
  };
  EXPECT_EQ(call("a", "{}", with({.domains = {"light"}})), "Only who may control everything may call rest_command.a.");
  EXPECT_TRUE(call("a", "{}", with({.entities = {"rest_command.a"}})).contains("\"status\":200"));
}

}  // namespace
}  // namespace hearth::building_blocks
