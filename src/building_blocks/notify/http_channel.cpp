// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text/utf8.h"
#include "building_blocks/notify/channels.h"

namespace hearth::building_blocks {
namespace {

using Body = HttpNotice::Body;

constexpr std::size_t kMaxQuoted = 200;  // bytes of what a server says of its failure
constexpr int kRequestTimeout = 408, kTooEarly = 425, kTooManyRequests = 429;

std::string field_text(const json::value& value) {
  if (const auto* const text = value.if_string()) return std::string(*text);
  if (value.is_structured()) return base::to_json(value);
  return templates::to_text(templates::Value::from_json(value));
}

// As forms and queries have them; a list gives its name to each of its items.
std::string form_of(const json::object& fields) {
  std::string form;
  const auto add = [&](std::string_view key, const json::value& value) {
    if (value.is_null()) return;
    if (!form.empty()) form += '&';
    form += query_encoded(key) + "=" + query_encoded(field_text(value));
  };
  for (const auto& [key, value] : fields) {
    const auto* const list = value.if_array();
    if (!list) {
      add(key, value);
      continue;
    }
    for (const json::value& item : *list) add(key, item);
  }
  return form;
}

class HttpChannel final : public Channel {
 public:
  HttpChannel(std::shared_ptr<const HttpNotice> notice, const ChannelNeeds& needs)
      : notice_(std::move(notice)), home_(needs.home), http_(needs.http) {}

  void send(const Message& message, Done done) override {
    auto request = request_of(message);
    if (!request)
      return done(std::unexpected(Undelivered{.code = request.error().code, .why = request.error().message}));
    under_way_ = http_.ask(std::move(*request), [this, done = std::move(done)](const net::HttpResult& result) {
      const base::Handle ended = std::move(under_way_);
      done(delivery_of(result));
    });
  }

  bool splits_targets() const override { return notice_->is_preset; }

 private:
  base::Result<net::HttpRequest> request_of(const Message& message) const {
    const automation::Renderer renderer = home_.renderer();
    const templates::Variables given = variables_of(variables(message));
    auto request = render_request(notice_->request, renderer, given);
    if (!request) return request;
    if (notice_->is_preset) std::erase_if(request->headers, [](const auto& header) { return header.second.empty(); });
    const auto fields = fields_of(message, renderer, given);
    if (!fields) return std::unexpected(fields.error());
    if (notice_->body == Body::query) {
      add_query(request->url, form_of(*fields));
      return request;
    }
    const bool is_json = notice_->body == Body::json;
    request->body = is_json ? base::to_json(*fields) : form_of(*fields);
    if (!notice_->request.has_header("Content-Type"))
      request->headers.emplace_back("Content-Type", is_json ? "application/json" : "application/x-www-form-urlencoded");
    if (const auto wrong = net::check_request(*request)) return base::fail(base::ErrorCode::invalid, wrong->message);
    return request;
  }

  json::object variables(const Message& message) const {
    json::object all = notice_->given;
    all["message"] = message.text;
    all["title"] = message.title;
    const json::array targets(message.targets.begin(), message.targets.end());
    all["target"] = !notice_->is_preset       ? json::value(targets)
                    : message.targets.empty() ? json::value("")
                                              : json::value(message.targets.front());
    all["data"] = message.data;
    all["home"] = home_.hub.config.load()->location_name;
    return all;
  }

  base::Result<json::object> fields_of(const Message& message, const automation::Renderer& renderer,
                                       const templates::VariablesView& given) const {
    json::object fields;
    if (!notice_->message_field.empty()) fields[notice_->message_field] = message.text;
    if (!notice_->title_field.empty()) fields[notice_->title_field] = title_of(message, home_.hub);
    if (!notice_->target_field.empty() && !message.targets.empty())
      fields[notice_->target_field] = message.targets.front();
    for (const JsonTemplate& further : notice_->fields) {
      auto rendered = further.render(renderer, given);
      if (!rendered) return std::unexpected(rendered.error());
      for (const auto& [key, value] : rendered->as_object()) {
        const auto* const text = value.if_string();
        if (!notice_->is_preset || !text || !text->empty()) fields[key] = value;
      }
    }
    if (notice_->is_preset) {
      for (const auto& [key, value] : message.data) fields[key] = value;
    }
    return fields;
  }

  Delivery delivery_of(const net::HttpResult& result) const {
    if (!result) return std::unexpected(Undelivered{.why = result.error().message, .may_pass = true});
    const int status = result->status;
    const bool is_taken = status >= 200 && status < 300;
    if (is_taken && !says_no(result->body)) return {};
    const std::string said = trimmed(base::utf8_repaired(result->body));
    return std::unexpected(Undelivered{
        .why = fmt::format("the server answered {}{}{}", status, said.empty() ? "" : ": ",
                           base::utf8_excerpt(said, kMaxQuoted)),
        .may_pass = status >= 500 || status == kRequestTimeout || status == kTooEarly || status == kTooManyRequests});
  }

  bool says_no(std::string_view body) const {
    if (notice_->ok_field.empty()) return false;
    const auto answer = base::parse_json(body);
    const auto* const object = answer ? answer->if_object() : nullptr;
    const json::value* const ok = object ? object->if_contains(notice_->ok_field) : nullptr;
    return ok && ok->is_bool() && !ok->get_bool();
  }

  const std::shared_ptr<const HttpNotice> notice_;
  automation::Home& home_;
  net::HttpClient& http_;
  base::Handle under_way_;
};

}  // namespace

std::unique_ptr<Channel> make_http_channel(std::shared_ptr<const HttpNotice> notice, const ChannelNeeds& needs) {
  return std::make_unique<HttpChannel>(std::move(notice), needs);
}

}  // namespace hearth::building_blocks
