// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/flow/hub_flow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"

namespace hearth::integrations::home_assistant {
namespace {

using core::ConnectionError;
using Field = domains::FormField;

ConnectionError error_of(HubProbe::Failed::Why why) {
  using enum HubProbe::Failed::Why;
  switch (why) {
    case unreachable:
      return ConnectionError::cannot_connect;
    case refused:
      return ConnectionError::invalid_auth;
    case no_hub:
      return ConnectionError::unsupported;
    case late:
      return ConnectionError::timeout;
  }
  return ConnectionError::unknown;
}

// "light, switch" of the list that the connection keeps.
std::string domains_text(const json::object& choices, std::string_view key) {
  const json::value* const list = choices.if_contains(key);
  std::vector<std::string_view> domains;
  if (list && list->is_array()) {
    for (const json::value& domain : list->get_array())
      if (domain.is_string()) domains.push_back(domain.get_string());
  }
  return fmt::format("{}", fmt::join(domains, ", "));
}

// Null if one of them is none.
std::optional<json::array> read_domains(std::string_view text) {
  json::array domains;
  std::string word;
  const auto end = [&] {
    const bool good = word.empty() || core::is_slug(word);
    if (!word.empty()) domains.emplace_back(std::exchange(word, {}));
    return good;
  };
  for (const char c : text) {
    if (c != ',' && c != ' ')
      word += c;
    else if (!end())
      return {};
  }
  if (!end()) return {};
  return domains;
}

std::string one_of(const json::object& choices, std::string_view key, std::string_view otherwise) {
  const std::string chosen = base::text_at(choices, key);
  return chosen.empty() ? std::string(otherwise) : chosen;
}

}  // namespace

HubFlow::HubFlow(const domains::FlowHome& home) : home_(home) {
  options_.name = free_name();
}

HubFlow::HubFlow(const domains::FlowHome& home, const domains::ConnectionChange& change)
    : home_(home),
      changed_(change.connection),
      options_(Options::of(*change.connection, change.secrets)),
      choices_(change.connection->options) {}

bool HubFlow::is_taken(std::string_view name) const {
  const auto all = home_.hub.integrations.load();
  return std::ranges::any_of(*all, [&](const core::IntegrationStatus& status) {
    return status.connection->domain == "home_assistant" && status.connection->unique_id == name;
  });
}

std::string HubFlow::free_name() const {
  std::string name = "home";
  for (int number = 2; is_taken(name); ++number) name = fmt::format("home_{}", number);
  return name;
}

domains::FlowForm HubFlow::address_form(Errors errors) const {
  domains::FlowForm form{
      .step_id = changed_ ? "reconfigure" : "user", .fields = {}, .errors = std::move(errors), .last_step = false};
  const json::value url = options_.url.empty() ? json::value() : json::value(options_.url);
  form.fields = {{.name = "url", .required = true, .otherwise = url},
                 {.name = "token", .required = !changed_, .secret = true},
                 {.name = "verify_certificate",
                  .type = Field::Type::boolean,
                  .otherwise = json::value(options_.verify_certificate)}};
  if (changed_) form.placeholders["name"] = changed_->title;
  return form;
}

domains::FlowForm HubFlow::choice_form(Errors errors) const {
  domains::FlowForm form{.step_id = "choices", .fields = {}, .errors = std::move(errors), .last_step = true};
  if (!changed_) form.fields.push_back({.name = "name", .required = true, .otherwise = json::value(options_.name)});
  form.fields.push_back({.name = "prefix", .otherwise = json::value(one_of(choices_, "prefix", ""))});
  form.fields.push_back({.name = "areas",
                         .type = Field::Type::select,
                         .otherwise = json::value(one_of(choices_, "areas", "match")),
                         .options = {"match", "existing", "none"}});
  form.fields.push_back({.name = "history",
                         .type = Field::Type::select,
                         .otherwise = json::value(one_of(choices_, "history", "local")),
                         .options = {"local", "remote"}});
  for (const char* const key : {"include_domains", "exclude_domains"})
    form.fields.push_back({.name = key, .otherwise = json::value(domains_text(choices_, key))});
  const OtherHub& hub = found_->hub;
  const auto shown = [](const std::string& text) { return base::utf8_excerpt(base::utf8_repaired(text)); };
  const bool hearth = !hub.hearth_version.empty();
  form.placeholders = {{"name", changed_           ? changed_->title
                                : hub.name.empty() ? "Home Assistant"
                                                   : shown(hub.name)},
                       {"version", fmt::format("{} {}", hearth ? "Hearth" : "Home Assistant",
                                               shown(hearth ? hub.hearth_version : hub.version))},
                       {"entities", fmt::to_string(found_->entities)},
                       {"user", shown(hub.user_name)}};
  return form;
}

void HubFlow::submit(const json::object& fields, Reply reply) {
  if (found_) return submit_choices(fields, reply);
  submit_address(fields, std::move(reply));
}

void HubFlow::submit_address(const json::object& fields, Reply reply) {
  const auto url = Options::address(base::trim_blanks(base::text_at(fields, "url")));
  if (!url) return reply(address_form({{"url", ConnectionError::invalid_host}}));
  options_.url = *url;
  options_.verify_certificate = base::flag_at(fields, "verify_certificate");
  const std::string token(base::trim_blanks(base::text_at(fields, "token")));
  if (!token.empty() && !Options::is_token(token))
    return reply(address_form({{"token", ConnectionError::invalid_auth}}));
  if (!token.empty()) options_.token = core::Secret(token);
  if (options_.token.empty()) return reply(address_form({{"token", ConnectionError::invalid_auth}}));
  reply_ = std::move(reply);
  probe_ = std::make_unique<HubProbe>(
      *home_.reactor, home_.bus, options_, home_.hub.config.load()->language,
      [this](const std::expected<HubProbe::Found, HubProbe::Failed>& found) { tried(found); });
}

void HubFlow::tried(const std::expected<HubProbe::Found, HubProbe::Failed>& found) {
  const Reply reply = std::exchange(reply_, {});
  if (!found) {
    const ConnectionError error = error_of(found.error().why);
    return reply(address_form({{error == ConnectionError::invalid_auth ? "token" : "url", error}}));
  }
  if (!found->hub.uuid.empty() && found->hub.uuid == home_.hub.config.load()->uuid)
    return reply(domains::FlowAbort{"own_hub"});
  found_ = *found;
  reply(choice_form());
}

void HubFlow::submit_choices(const json::object& fields, const Reply& reply) {
  const std::string prefix = base::text_at(fields, "prefix");
  Errors errors;
  if (!Options::is_prefix(prefix)) errors["prefix"] = ConnectionError::unsupported;
  if (!changed_) {
    options_.name = base::text_at(fields, "name");
    if (!Options::is_name(options_.name))
      errors["name"] = ConnectionError::unsupported;
    else if (is_taken(options_.name))
      errors["name"] = ConnectionError::already_configured;
  }
  json::object choices{
      {"prefix", prefix}, {"areas", base::text_at(fields, "areas")}, {"history", base::text_at(fields, "history")}};
  for (const char* const key : {"include_domains", "exclude_domains"}) {
    auto domains = read_domains(base::text_at(fields, key));
    if (domains)
      choices[key] = std::move(*domains);
    else
      errors[key] = ConnectionError::unsupported;
  }
  choices_ = choices;
  if (!errors.empty()) return reply(choice_form(std::move(errors)));
  const std::string& name = found_->hub.name;
  domains::FlowResult result{.title = name.empty() ? "Home Assistant" : base::utf8_excerpt(base::utf8_repaired(name)),
                             .unique_id = changed_ ? changed_->unique_id : options_.name,
                             .data = {{"url", options_.url}, {"verify_certificate", options_.verify_certificate}},
                             .options = std::move(choices)};
  result.secrets.emplace(Options::kToken, options_.token);
  reply(std::move(result));
}

}  // namespace hearth::integrations::home_assistant
