// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/notify/notify_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "automation/config/parsing.h"
#include "building_blocks/notify/mail_text.h"
#include "net/http/url.h"

namespace hearth::building_blocks {

using base::ConfigNode;
using base::ConfigReader;

namespace {

constexpr std::size_t kMaxCommand = 16 * 1024;  // bytes of a command
constexpr std::int64_t kMaxSeconds = 60;        // that a command may take: four tries must fit into Notifier::kLongest

bool is_templated(std::string_view text) {
  return text.contains("{{") || text.contains("{%") || text.contains("{#");
}

void read_access(ConfigReader& in, RequestPlan& request, std::vector<std::string>& secrets) {
  read_credentials(in, request);
  if (request.credentials && !request.credentials->password.empty()) secrets.push_back(request.credentials->password);
  in.boolean("verify_ssl", request.verify_ssl);
}

}  // namespace

std::string needed_text(ConfigReader& in, std::string_view key) {
  const ConfigNode* const node = in.find(key);
  std::string text;
  if (automation::is_missing(node))
    automation::note_missing(in, in.node(), key);
  else
    in.text(key, text);
  return text;
}

void read_address(ConfigReader& in, std::string_view key, std::string& address) {
  const ConfigNode* const node = in.find(key);
  if (!node && !address.empty()) return;
  address = needed_text(in, key);
  if (address.empty()) return;
  if (is_templated(address))
    return in.report(*node, node->error("expected an address, which cannot be a template here"));
  if (const auto parsed = net::parse_url(address); !parsed) in.report(*node, node->error(parsed.error().message));
}

void read_fields(ConfigReader& in, std::string_view key, HttpNotice& notice) {
  const ConfigNode* const node = in.find(key);
  if (!node || node->is_empty()) return;
  if (!node->is_map()) return in.report(*node, node->mismatch("names of fields, each with a value"));
  auto fields = JsonTemplate::parse(automation::written_as(*node));
  if (fields)
    notice.fields.push_back(std::move(*fields));
  else
    in.report(*node, node->error(fields.error().message));
}

HttpNotice read_rest(ConfigReader& in, std::vector<std::string>& secrets) {
  struct Method {
    std::string_view name;
    HttpNotice::Body body;
    bool operator==(const Method&) const = default;
  };
  HttpNotice notice;
  std::string address;
  read_address(in, "resource", address);
  if (auto url = TextTemplate::parse(address)) notice.request.url = std::move(*url);
  Method method{"GET", HttpNotice::Body::query};
  in.option("method", method,
            {{"get", method},
             {"post", Method{"POST", HttpNotice::Body::form}},
             {"post_json", Method{"POST", HttpNotice::Body::json}}});
  notice.request.method = method.name;
  notice.body = method.body;
  notice.message_field = "message";
  in.text("message_param_name", notice.message_field);
  in.text("title_param_name", notice.title_field);
  in.text("target_param_name", notice.target_field);
  read_fields(in, "data", notice);
  read_fields(in, "data_template", notice);
  read_headers(in, notice.request);
  read_access(in, notice.request, secrets);
  return notice;
}

MailNotice read_smtp(ConfigReader& in, std::vector<std::string>& secrets) {
  using Security = MailNotice::Encryption;
  MailNotice notice;
  in.text("server", notice.server);
  constexpr std::string_view kOfHosts = ".-:_";
  const bool is_host = !notice.server.empty() && std::ranges::all_of(notice.server, [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || kOfHosts.contains(c);
  });
  if (!is_host) in.report(*in.find("server"), in.find("server")->mismatch("the name or the address of a host"));
  in.integer("port", notice.port, 1, 65'535);
  in.option("encryption", notice.encryption,
            {{"starttls", Security::starttls}, {"tls", Security::tls}, {"none", Security::none}});
  constexpr std::string_view kAddress = "an address such as ann@home.test";
  const auto address = [](std::string_view text) {
    return is_mail_address(text) ? std::optional(std::string(text)) : std::nullopt;
  };
  for (const std::string_view key : {"sender", "recipient"})
    if (automation::is_missing(in.find(key)) && (key != "recipient" || !in.find("recipients")))
      automation::note_missing(in, in.node(), key);
  in.parsed("sender", notice.sender, kAddress, address);
  for (const std::string_view key : {"recipient", "recipients"})
    in.parsed_list(key, notice.recipients, kAddress, address);
  in.text("sender_name", notice.sender_name);
  in.text("username", notice.username);
  in.text("password", notice.password);
  if (!notice.password.empty()) secrets.push_back(notice.password);
  std::int64_t seconds = notice.timeout.count();
  in.integer("timeout", seconds, 1, kMaxSeconds);
  notice.timeout = std::chrono::seconds(seconds);
  in.boolean("verify_ssl", notice.verify_ssl);
  bool debug = false;
  in.boolean("debug", debug);
  return notice;
}

HttpNotice read_preset(ConfigReader& in, const Preset& preset, std::vector<std::string>& secrets) {
  HttpNotice notice{.body = HttpNotice::Body::json, .is_preset = true};
  notice.request.method = "POST";
  notice.ok_field = preset.ok;
  std::string address(preset.url);
  read_address(in, "url", address);
  while (address.ends_with('/')) address.pop_back();
  if (auto url = TextTemplate::parse(address.append(preset.path))) notice.request.url = std::move(*url);
  for (const std::string_view key : preset.needed) notice.given[key] = needed_text(in, key);
  for (const std::string_view key : preset.optional) notice.given[key] = automation::read_text(in, key);
  for (const std::string_view key : preset.secret) secrets.emplace_back(notice.given[key].get_string());
  for (const auto& [name, text] : preset.headers)
    notice.request.headers.emplace_back(name, TextTemplate::parse(std::string(text)).value());
  notice.fields.push_back(JsonTemplate::parse(base::parse_json(preset.body).value()).value());
  if (preset.has_credentials)
    read_access(in, notice.request, secrets);
  else
    in.boolean("verify_ssl", notice.request.verify_ssl);
  return notice;
}

FileNotice read_file(ConfigReader& in) {
  FileNotice notice;
  notice.path = needed_text(in, "filename");
  if (notice.path.contains('\0')) in.report(*in.find("filename"), in.find("filename")->mismatch("the name of a file"));
  in.boolean("timestamp", notice.timestamp);
  return notice;
}

CommandNotice read_command_line(ConfigReader& in) {
  CommandNotice notice;
  notice.line = needed_text(in, "command");
  const ConfigNode* const node = in.find("command");
  if (notice.line.size() > kMaxCommand)
    in.report(*node, node->error(fmt::format("the command is longer than {} KiB", kMaxCommand >> 10)));
  if (notice.line.contains('\0')) in.report(*node, node->error("the command has a zero byte in it"));
  if (is_templated(notice.line)) {
    in.report(*node, node->error("a template is not taken here: the message is on the command's standard input"));
  }
  std::int64_t seconds = notice.timeout.count();
  in.integer("command_timeout", seconds, 1, kMaxSeconds);
  notice.timeout = std::chrono::seconds(seconds);
  return notice;
}

}  // namespace hearth::building_blocks
