// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/notify_parser.h"

#include "automation/test_automations.h"

namespace hearth::building_blocks {
namespace {

NotifyConfiguration read_notify(std::string_view list) {
  automation::Sections sections;
  sections.platforms.emplace_back("notify",
                                  automation::test_node(json::value(base::parse_json(list).value()), "notify"));
  sections.platforms.emplace_back("sensor",
                                  automation::test_node(std::string_view(R"([{"platform": "rest", "resource": 1}])")));
  return parse_notifiers(sections);
}
std::string notify_errors(std::string_view list) {
  std::string all;
  for (const std::string& error : errors_of(read_notify(list))) all += error + "\n";
  return all;
}

TEST(NotifyParser, TakesAllKeys) {
  const auto made = read_notify(R"([
      {"platform": "rest", "name": "The Bell", "resource": "http://host.test/a", "method": "POST_JSON",
       "message_param_name": "text", "title_param_name": "head", "target_param_name": "to",
       "data": {"a": 1, "b": ["{{ title }}"]}, "data_template": {"c": "{{ target }}"}, "headers": {"X-A": "b"},
       "username": "u", "password": "p", "authentication": "digest", "verify_ssl": false},
      {"platform": "file", "name": "log", "filename": "log.txt", "timestamp": true},
      {"platform": "command_line", "command": "cat", "command_timeout": 3},
      {"platform": "group", "name": "all", "services": []}, {"platform": "html5"}])");
  EXPECT_EQ(errors_of(made), std::vector<std::string>());
  ASSERT_EQ(made.plans.size(), 3U);
  EXPECT_EQ(made.plans[0]->name, "the_bell");
  const auto& rest = std::get<HttpNotice>(made.plans[0]->way);
  EXPECT_EQ(rest.request.method, "POST");
  EXPECT_EQ(rest.body, HttpNotice::Body::json);
  EXPECT_EQ(rest.message_field + rest.title_field + rest.target_field, "textheadto");
  EXPECT_EQ(rest.fields.size(), 2U);
  EXPECT_EQ(rest.request.credentials->kind, net::HttpCredentials::Kind::digest);
  EXPECT_FALSE(rest.request.verify_ssl);
  EXPECT_TRUE(std::get<FileNotice>(made.plans[1]->way).timestamp);
  EXPECT_EQ(made.plans[2]->name, "notify");
  EXPECT_EQ(std::get<CommandNotice>(made.plans[2]->way).timeout, std::chrono::seconds(3));
}

TEST(NotifyParser, TakesMailAndPresets) {
  const auto made = read_notify(R"([
      {"platform": "smtp", "name": "mail", "server": "mail.test", "port": 465, "encryption": "tls", "timeout": 9,
       "sender": "a@home.test", "sender_name": "A", "recipient": ["b@home.test", "c@home.test"], "username": "u",
       "password": "hidden-password", "verify_ssl": false, "debug": true},
      {"platform": "telegram", "name": "t", "api_key": "hidden-key", "chat_id": -5, "url": "http://127.0.0.1:1/"},
      {"platform": "ntfy", "name": "n", "topic": "x", "token": "hidden-token", "username": "u",
       "password": "hidden-word"}])");
  EXPECT_EQ(errors_of(made), std::vector<std::string>());
  const auto& mail = std::get<MailNotice>(made.plans[0]->way);
  EXPECT_EQ(mail.encryption, MailNotice::Encryption::tls);
  EXPECT_EQ(mail.recipients.size(), 2U);
  EXPECT_EQ(mail.port, 465);
  EXPECT_EQ(made.plans[0]->secrets, std::vector<std::string>{"hidden-password"});
  EXPECT_EQ(std::get<HttpNotice>(made.plans[1]->way).request.url.text(),
            "http://127.0.0.1:1/bot{{ api_key }}/sendMessage");
  EXPECT_EQ(made.plans[1]->secrets, std::vector<std::string>{"hidden-key"});
  EXPECT_EQ(made.plans[2]->secrets, (std::vector<std::string>{"hidden-token", "hidden-word"}));
  const std::string wrong = notify_errors(R"([{"platform": "smtp", "server": "a/b", "port": 0, "sender": "x"},
                                              {"platform": "telegram", "name": "t", "chat_id": 1, "url": "x"}])");
  for (const char* const said :
       {"server: expected", "port: expected", "sender: expected", "recipient", "api_key", "url: "})
    EXPECT_TRUE(wrong.contains(said)) << said << " in " << wrong;
}

TEST(NotifyParser, NamesWhatIsWrong) {
  EXPECT_TRUE(notify_errors(R"([{"platform": "rest"}])").starts_with("f.yaml:1: "))
      << notify_errors(R"([{"platform": "rest"}])");
  EXPECT_TRUE(notify_errors(R"([{"platform": "rest"}])").contains("resource"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "rest", "resource": "ftp://x"}])").contains("resource: "));
  EXPECT_TRUE(
      notify_errors(R"([{"platform": "rest", "resource": "http://{{ x }}"}])").contains("cannot be a template"));
  EXPECT_TRUE(
      notify_errors(R"([{"platform": "rest", "resource": "http://x", "method": "PUT"}])").contains("method: expected"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "rest", "resource": "http://x", "data": {"a": "{{"}}])")
                  .contains("data: the template does not compile"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "rest", "resource": "http://x", "headers": {"A": "b\r\nC: d"}}])")
                  .contains("A: "));
  EXPECT_TRUE(notify_errors(R"([{"platform": "rest", "resource": "http://x", "titel_param_name": "b"}])")
                  .contains("did you mean title_param_name?"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "file"}])").contains("filename"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "command_line", "command": "echo {{ x }}"}])").contains("standard input"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "command_line", "command": "cat", "command_timeout": 0}])")
                  .contains("command_timeout: expected"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "file", "filename": "a"}, {"platform": "file", "filename": "b"}])")
                  .contains("notify.notify is there twice"));
  EXPECT_TRUE(
      notify_errors(R"([{"platform": "file", "filename": "a", "name": "Reload"}])").contains("expected another name"));
  EXPECT_TRUE(notify_errors(R"([{"platform": "file", "filename": "a", "name": "!"}])")
                  .contains("expected a letter or a digit"));
}

TEST(NotifyParser, DoesNotShowSecrets) {
  const json::value written = base::parse_json(R"([{"platform": "rest", "name": "a", "resource": "http:/x",
      "method": "b", "data": {"a": "{{ b"}, "headers": {"A": "c\n"}, "username": ["d"], "verify_ssl": "e"}])")
                                  .value();
  automation::with_each_secret(written, [](const base::ConfigNode& node) {
    automation::Sections sections;
    sections.platforms.emplace_back("notify", node);
    for (const std::string& error : errors_of(parse_notifiers(sections)))
      EXPECT_FALSE(error.contains(automation::kTestSecret)) << error;
  });
}

}  // namespace
}  // namespace hearth::building_blocks
