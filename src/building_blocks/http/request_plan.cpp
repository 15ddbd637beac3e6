// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/http/request_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/parsing.h"
#include "base/text/text.h"
#include "net/http/url.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;
using CredentialKind = net::HttpCredentials::Kind;

std::unexpected<base::Error> fails_at(std::string_view key, const base::Error& error) {
  return base::fail(error.code, fmt::format("{}: {}", key, error.message));
}

RequestPlan::Texts read_texts(ConfigReader& in, std::string_view key, std::string_view expected) {
  const ConfigNode* const node = in.find(key);
  RequestPlan::Texts all;
  if (!node || node->is_empty()) return all;
  if (!node->is_map()) {
    in.report(*node, node->mismatch(expected));
    return all;
  }
  if (node->entries().size() > RequestPlan::kMaxTexts) {
    in.report(*node, node->error(fmt::format("more than {} of them", RequestPlan::kMaxTexts)));
    return all;
  }
  ConfigReader& section = in.section(key);
  for (const auto& [name, value] : node->entries()) {
    if (auto text = read_text_template(section, name)) all.emplace_back(name, std::move(*text));
  }
  return all;
}

}  // namespace

bool RequestPlan::has_header(std::string_view name) const {
  return std::ranges::any_of(headers, [&](const auto& each) { return base::equals_ignoring_case(each.first, name); });
}

void RequestPlan::set_header(std::string_view name, TextTemplate text) {
  std::erase_if(headers, [&](const auto& each) { return base::equals_ignoring_case(each.first, name); });
  headers.emplace_back(name, std::move(text));
}

void RequestPlan::add_content_type() {
  if (payload && !has_header("Content-Type"))
    headers.emplace_back("Content-Type", TextTemplate::parse("text/plain; charset=utf-8").value());
}

std::optional<TextTemplate> read_text_template(ConfigReader& in, std::string_view key) {
  const ConfigNode* const node = in.find(key);
  if (!node) return {};
  const auto text = node->text();
  if (!text) {
    in.report(*node, text.error());
    return {};
  }
  auto read = TextTemplate::parse(*text);
  if (read) return std::move(*read);
  in.report(*node, node->error(read.error().message));
  return {};
}

void read_url(ConfigReader& in, std::string_view key, TextTemplate& url) {
  const ConfigNode* const node = in.find(key);
  if (automation::is_missing(node)) return automation::note_missing(in, in.node(), key);
  auto read = read_text_template(in, key);
  if (!read) return;
  url = std::move(*read);
  if (url.is_template()) return;
  if (const auto parsed = net::parse_url(url.text()); !parsed) in.report(*node, node->error(parsed.error().message));
}

void read_headers(ConfigReader& in, RequestPlan& plan) {
  for (auto& [name, text] : read_texts(in, "headers", "names of headers, each with a text")) {
    net::HttpRequest probe;
    probe.headers.emplace_back(name, text.is_template() ? std::string() : text.text());
    if (const auto wrong = net::check_request(probe)) {
      const ConfigNode& value = *in.find("headers")->find(name);
      in.report(value, value.error(wrong->message));
    } else {
      plan.headers.emplace_back(name, std::move(text));
    }
  }
}

void read_credentials(ConfigReader& in, RequestPlan& plan) {
  net::HttpCredentials credentials;
  in.text("username", credentials.user);
  in.text("password", credentials.password);
  in.option("authentication", credentials.kind, {{"basic", CredentialKind::basic}, {"digest", CredentialKind::digest}});
  if (!credentials.user.empty()) plan.credentials = std::move(credentials);
}

void read_request(ConfigReader& in, RequestPlan& plan) {
  read_headers(in, plan);
  read_credentials(in, plan);
  int seconds = 10;
  in.integer("timeout", seconds, 1, RequestPlan::kMaxTimeout.count());
  plan.timeout = std::chrono::seconds(seconds);
  in.boolean("verify_ssl", plan.verify_ssl);
}

void read_params(ConfigReader& in, RequestPlan& plan) {
  plan.params = read_texts(in, "params", "names of parameters, each with a text");
}

void note_unused(ConfigReader& in, std::string_view key, std::vector<std::string>& warnings) {
  const ConfigNode* const node = in.find(key);
  if (!node || node->is_empty()) return;
  if (const auto wanted = node->boolean(); wanted && !*wanted) return;
  warnings.push_back(node->error("has no effect here").message);
}

std::string query_encoded(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    if (plain)
      made += c;
    else
      made += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return made;
}

void add_query(std::string& url, std::string_view query) {
  if (query.empty()) return;
  url.erase(std::min(url.find('#'), url.size()));
  url += url.contains('?') ? '&' : '?';
  url += query;
}

base::Result<net::HttpRequest> render_request(const RequestPlan& plan, const automation::Renderer& renderer,
                                              const templates::Variables& given) {
  net::HttpRequest request;
  auto url = plan.url.render(renderer, given);
  if (!url) return fails_at("url", url.error());
  request.url = std::move(*url);
  for (const auto& [name, text] : plan.params) {
    const auto value = text.render(renderer, given);
    if (!value) return fails_at("params." + name, value.error());
    add_query(request.url, query_encoded(name) + "=" + query_encoded(*value));
  }
  if (const auto parsed = net::parse_url(request.url); !parsed)
    return base::fail(base::ErrorCode::invalid, fmt::format("url: {}", parsed.error().message));
  request.method = plan.method;
  for (const auto& [name, text] : plan.headers) {
    auto value = text.render(renderer, given);
    if (!value) return fails_at("headers." + name, value.error());
    request.headers.emplace_back(name, std::move(*value));
  }
  if (plan.payload) {
    auto payload = plan.payload->render(renderer, given);
    if (!payload) return fails_at("payload", payload.error());
    request.body = std::move(*payload);
  }
  request.credentials = plan.credentials;
  request.timeout = plan.timeout;
  request.verify_certificate = plan.verify_ssl;
  if (const auto wrong = net::check_request(request)) return base::fail(base::ErrorCode::invalid, wrong->message);
  return request;
}

}  // namespace hearth::building_blocks
