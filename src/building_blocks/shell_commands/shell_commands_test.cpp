// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/shell_commands/shell_commands.h"

#include "automation/test_automations.h"

namespace hearth::building_blocks {
namespace {

using automation::test_node;

ShellConfiguration read(std::string_view text) {
  automation::Sections sections;
  sections.commands.emplace_back("shell_command",
                                 test_node(json::value(base::parse_json(text).value()), "shell_command"));
  return parse_shell_commands(sections);
}
std::string errors_in(std::string_view text) {
  std::string all;
  for (const std::string& error : errors_of(read(text))) all += error + "\n";
  return all;
}

TEST(ShellCommandParser, TakesCommandsWithAndWithoutTemplates) {
  const auto made = read(R"({"a": "echo a | cat", "b": "echo '{{ x }} y' z"})");
  EXPECT_EQ(errors_of(made), std::vector<std::string>());
  ASSERT_EQ(made.plans.size(), 2U);
  EXPECT_EQ(made.plans[0]->command.line, "echo a | cat");
  EXPECT_EQ(made.plans[1]->command.arguments.size(), 3U);
  EXPECT_TRUE(made.plans[1]->command.arguments[1].text.is_template());
}

TEST(ShellCommandParser, NamesWhatIsWrong) {
  EXPECT_EQ(errors_in("[]"), "f.yaml:1: shell_command: expected names, each with what it does, found a list\n");
  EXPECT_EQ(errors_in(R"({"A b": "x"})"),
            "f.yaml:1: shell_command.A b: expected a name of small letters, digits and underscores\n");
  EXPECT_EQ(
      errors_in(R"({"reload": "x"})"),
      "f.yaml:1: shell_command.reload: expected another name: reload is the service that reads the files again\n");
  EXPECT_EQ(errors_in(R"({"a": " "})"), "f.yaml:1: shell_command.a: expected a command, found nothing\n");
  EXPECT_EQ(errors_in(R"({"a": ["x"]})"), "f.yaml:1: shell_command.a: expected a command, found a list\n");
  EXPECT_EQ(errors_in(R"({"a": "{{ x }} y"})"),
            "f.yaml:1: shell_command.a: the program is a template; expected its name, and templates in its arguments "
            "only\n");
  EXPECT_TRUE(errors_in(R"({"a": "x {{ y | no_such_filter }}"})").contains("does not compile"));
  EXPECT_TRUE(errors_in(R"({"a": "x '{{ y }}"})").contains("the quote ' is never closed"));
  EXPECT_TRUE(errors_in(json::serialize(json::object{{"a", std::string(CommandText::kMaxBytes + 1, 'x')}}))
                  .contains("the command is longer than 16 KiB"));
}

TEST(ShellCommandParser, BoundsHowManyThereAre) {
  json::object many;
  for (int index = 0; index < 10'000; ++index) many["c" + std::to_string(index)] = "true";
  const auto made = read(json::serialize(many));
  EXPECT_EQ(made.plans.size(), 1'000U);
  ASSERT_EQ(made.faults.size(), 1U);
  EXPECT_TRUE(made.faults.front().contains("more than 1000 in shell_command"));
}

TEST(ShellCommandParser, RefusesANameThatIsThereAlready) {
  automation::Sections sections;
  for (int index = 0; index < 2; ++index)
    sections.commands.emplace_back("shell_command", test_node(std::string_view(R"({"a": "true"})")));
  const auto made = parse_shell_commands(sections);
  EXPECT_EQ(made.plans.size(), 1U);
  EXPECT_EQ(made.faults, std::vector<std::string>{"f.yaml:1: a: a is there already, at f.yaml:1"});
}

TEST(ShellCommandParser, WarnsOfWhatOnlyAShellKnows) {
  const auto made = read(R"({"a": "echo {{ x }} >> log"})");
  EXPECT_EQ(errors_of(made), std::vector<std::string>());
  EXPECT_EQ(made.warnings, std::vector<std::string>{
                               "f.yaml:1: shell_command.a: a command with templates runs without a shell, so >> is an "
                               "argument of echo; a script of yours may have the rest"});
}

TEST(ShellCommandParser, ShowsNoSecret) {
  const base::ConfigNode secret({std::make_shared<const std::string>("f.yaml"), 1, "a"},
                                "hunter2hunter2 {{ x | nothing }}", {.plain = true, .secret = true});
  automation::Sections sections;
  sections.commands.emplace_back("shell_command", base::ConfigNode({}, base::ConfigNode::Map{{"a", secret}}));
  const auto made = parse_shell_commands(sections);
  ASSERT_FALSE(made.plans.at(0)->error.empty());
  EXPECT_FALSE(made.plans.at(0)->error.contains("hunter2"));
}

class ShellCommandsTest : public ::testing::Test {
 protected:
  ~ShellCommandsTest() override { commands_.stop(); }

  void apply(std::string_view text) {
    commands_.apply(read(text));
    automations_.run();
  }
  // The answer as JSON, or the error.
  std::string call(std::string_view name, std::string_view data = "{}", const core::Rights& rights = {}) {
    core::ServiceRequest request;
    request.domain = "shell_command";
    request.service = name;
    request.data = base::parse_json(data).value().as_object();
    request.context = core::Context::create(automations_.home.clock.now());
    request.rights = rights;
    request.return_response = true;
    std::string answer;
    automations_.home.hub.services.call(std::move(request), [&](base::Result<core::CallOutcome> outcome) {
      answer = outcome ? base::to_json(outcome->response) : outcome.error().message;
    });
    while (answer.empty()) automations_.run();
    return answer;
  }

  automation::TestAutomations automations_;
  ShellCommands commands_{automations_.engine.home(), "/"};
};

TEST_F(ShellCommandsTest, AnswerWithOutputsAndCode) {
  apply(R"({"a": "echo ' a '; echo b >&2; exit 3"})");
  EXPECT_EQ(call("a"), R"({"stdout":"a","stderr":"b","returncode":3})");
}

TEST_F(ShellCommandsTest, GiveTemplatesAsSingleWords) {
  apply(R"({"a": "printf %s| {{ x }} '{{ states(\"sensor.a\") }}' {{ nothing_like_this }} '{{ none_of_it }}' end"})");
  automations_.set("sensor.a", "$(id) `id`");
  EXPECT_EQ(call("a", R"({"x": "1; exit 4 && 'b'"})"),
            R"({"stdout":"1; exit 4 && 'b'|$(id) `id`||end|","stderr":"","returncode":0})");
}

TEST_F(ShellCommandsTest, SayWhatFails) {
  apply(R"({"a": "echo {{ 1 / 0 }}", "b": "echo {{ x }}"})");
  EXPECT_TRUE(call("a").starts_with("shell_command.a: word 2: the template fails")) << call("a");
  EXPECT_EQ(call("b", R"({"x": "a\u0000b"})"),
            "shell_command.b: an argument has a zero byte in it, which no program can be given");
}

TEST_F(ShellCommandsTest, AnswerInUtf8) {
  apply(R"({"a": "printf '\\303\\244\\377'"})");
  EXPECT_EQ(call("a"), "{\"stdout\":\"ä\uFFFD\",\"stderr\":\"\",\"returncode\":0}");
}

TEST_F(ShellCommandsTest, AreForThoseWhoControlAllOrWhosePolicyNamesThem) {
  apply(R"({"a": "echo a", "b": "echo b"})");
  const auto with = [](core::Selection control) {
    return core::Rights(core::Role::user, std::make_shared<const core::Policy>(
                                              core::Policy{.read = {.all = true}, .control = std::move(control)}));
  };
  const std::string works = R"({"stdout":"a","stderr":"","returncode":0})";
  EXPECT_EQ(call("a", "{}", core::Rights(core::Role::user)), works);
  EXPECT_EQ(call("a", "{}", core::Rights(core::Role::reader)), "This user may only read.");
  EXPECT_EQ(call("a", "{}", with({.entities = {"light.a"}})),
            "Only who may control everything may call shell_command.a.");
  EXPECT_EQ(call("a", "{}", with({.entities = {"shell_command.a"}})), works);
  EXPECT_EQ(call("b", "{}", with({.entities = {"shell_command.a"}})),
            "Only who may control everything may call shell_command.b.");
}

TEST_F(ShellCommandsTest, ComeAndGoWithTheConfiguration) {
  apply(R"({"a": "echo 1", "b": "echo 1"})");
  apply(R"({"a": "echo {{ 2", "c": "echo 2"})");
  EXPECT_TRUE(call("a").contains("\"1\"")) << "the last good one is in force";
  EXPECT_EQ(call("b"), "Service shell_command.b not found.");
  EXPECT_TRUE(call("c").contains("\"2\""));
  ASSERT_EQ(commands_.faults()->size(), 1U);
  EXPECT_EQ(commands_.faults()->front().id, "shell_command.a");
  apply(R"({"a": "echo 3"})");
  EXPECT_TRUE(call("a").contains("\"3\""));
  EXPECT_TRUE(commands_.faults()->empty());
}

}  // namespace
}  // namespace hearth::building_blocks
