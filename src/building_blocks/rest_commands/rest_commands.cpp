// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/rest_commands/rest_commands.h"

#include <fmt/format.h>

#include <utility>

#include "base/config/config_secrets.h"
#include "base/text/utf8.h"
#include "building_blocks/http/answer_text.h"
#include "net/http/url.h"

namespace hearth::building_blocks {
namespace {

using base::ErrorCode;

// The URL goes to the same server whatever the fields of the call are.
bool has_host_of_its_own(const RestPlan& plan, const automation::Renderer& renderer, std::string_view rendered) {
  const auto without = plan.request.url.render(renderer, {});
  if (!without) return false;
  const auto own = net::parse_url(*without), url = net::parse_url(rendered);
  return own && url && own->same_origin(*url) && own->user == url->user && own->password == url->password;
}

base::Result<net::HttpRequest> request_of(const RestPlan& plan, const automation::Renderer& renderer,
                                          const json::object& data) {
  auto request = render_request(plan.request, renderer, variables_of(data));
  if (!request || !plan.request.url.is_template() || plan.allow_template_host) return request;
  if (has_host_of_its_own(plan, renderer, request->url)) return request;
  return base::fail(ErrorCode::forbidden,
                    "url: the fields of the call would say to which host it goes, which needs "
                    "allow_template_host: true in the configuration");
}

// An answer of JSON as what it says, any other as a text.
base::Result<json::value> content_of(const net::HttpResponse& response) {
  if (response.media_type == "application/json" || response.media_type.ends_with("+json")) {
    auto parsed = base::parse_json(text_of(response));
    if (parsed) return std::move(*parsed);
    return base::fail(ErrorCode::unavailable,
                      fmt::format("the answer calls itself JSON, which it is not: {}", parsed.error().message));
  }
  return json::value(json::string(text_of(response)));
}

json::object headers_of(const net::HttpResponse& response) {
  json::object all;
  for (const auto& [name, value] : response.headers) {
    json::value& shown = all[name];
    const std::string text = base::utf8_repaired(value);
    shown = shown.is_null() ? text : fmt::format("{}, {}", std::string_view(shown.get_string()), text);
  }
  return all;
}

}  // namespace

void RestCommands::add_services(configured::Reload reload) {
  services_.add_reload("Reads the files again; requests under way go on.", std::move(reload));
}

void RestCommands::apply(const RestConfiguration& configuration) {
  services_.apply(configuration, [this](const auto& plan, auto&) {
    return std::make_unique<NamedService<RestPlan>>(
        home_.hub, kRestCommand, "Sends the request", plan,
        [this](const RestPlan& own, const core::ServiceCall& made, const core::ServiceReply& reply) {
          call(own, made, reply);
        });
  });
}

void RestCommands::call(const RestPlan& plan, const core::ServiceCall& call, const core::ServiceReply& reply) {
  const std::string service = fmt::format("{}.{}", kRestCommand, plan.name);
  auto request = request_of(plan, home_.renderer(), call.data());
  if (!request) {
    return reply(
        base::fail(request.error().code,
                   base::without_secrets(fmt::format("{}: {}", service, request.error().message), plan.secrets)));
  }
  const auto fail = [this, service, reply, secrets = plan.secrets](ErrorCode code, std::string_view why) {
    const std::string said = base::without_secrets(std::string(why), secrets);
    log_.log(service, said);
    reply(base::fail(code, fmt::format("{}: {}", service, said)));
  };
  const std::uint64_t number = ++last_;
  under_way_[number] = http_.ask(std::move(*request), [this, number, service, fail, reply,
                                                       wants_answer =
                                                           call.request().return_response](net::HttpResult result) {
    const base::Handle ended = std::move(under_way_.extract(number).mapped());
    if (!result) return fail(ErrorCode::unavailable, result.error().message);
    if (result->status >= 400)
      log_.log_as(fmt::format("{} {}", service, result->status),
                  fmt::format("{} was answered {}", service, result->status));
    if (!wants_answer) return reply(json::value());
    auto content = content_of(*result);
    if (!content) return fail(content.error().code, content.error().message);
    reply(json::object{{"content", std::move(*content)}, {"status", result->status}, {"headers", headers_of(*result)}});
  });
}

void RestCommands::stop() {
  services_.stop();
  under_way_.clear();
}

}  // namespace hearth::building_blocks
