// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/rest/rest_source.h"

#include <fmt/format.h>

#include <utility>

#include "building_blocks/http/answer_text.h"
#include "building_blocks/markup/xml_json.h"
#include "building_blocks/polled/workers.h"

namespace hearth::building_blocks {
namespace {

bool is_xml(std::string_view media_type) {
  return media_type == "text/xml" || media_type == "application/xml" || media_type.ends_with("+xml");
}

Source::Parts one_part(Fetched fetched) {
  Source::Parts parts;
  parts.emplace_back(std::move(fetched));
  return parts;
}

}  // namespace

void RestSource::fetch(Done done) {
  asking_.ask(resource_->request, environment_.home.renderer(), [this, done = std::move(done)](auto answer) {
    if (!answer) return done(std::unexpected(answer.error()));
    std::string text = text_of(*answer, resource_->encoding);
    if (!is_xml(answer->media_type)) return done(one_part({.text = std::move(text)}));
    // Not on the bus: a large document takes a while.
    const auto made = std::make_shared<Fetched>();
    environment_.workers.run(
        [made, text = std::move(text)](const auto&) -> base::Result<std::string> {
          auto json = json_of_xml(text);
          if (!json)
            return base::fail(json.error().code, fmt::format("was answered with XML, which {}", json.error().message));
          made->text = base::to_json(*json);
          made->json = std::move(*json);
          return std::string();
        },
        [made, done, alive = std::weak_ptr(alive_)](const base::Result<std::string>& read) {
          if (alive.expired()) return;
          if (!read) return done(std::unexpected(read.error()));
          done(one_part(std::move(*made)));
        });
  });
}

void RestSwitchSource::fetch(Done done) {
  asking_.ask(plan_->state.request, environment_.home.renderer(), [this, done = std::move(done)](auto answer) {
    if (!answer) return done(std::unexpected(answer.error()));
    done(one_part({.text = text_of(*answer, plan_->state.encoding)}));
  });
}

void RestSwitchSource::command(std::size_t, const domains::Action& action, const json::object&, Commanded done) {
  if (orders_.size() > kMostOrders)
    return done(base::fail(base::ErrorCode::full, fmt::format("{} commands wait, which is the maximum", kMostOrders)));
  orders_.push_back({action.service == "turn_on", std::move(done)});
  if (orders_.size() == 1) send_next();
}

void RestSwitchSource::send_next() {
  RequestPlan order = plan_->order;
  order.payload = orders_.front().on ? plan_->body_on : plan_->body_off;
  ordering_.ask(order, environment_.home.renderer(), [this](auto answer) {
    const Commanded done = std::move(orders_.front().done);
    orders_.pop_front();
    if (!orders_.empty()) send_next();
    done(answer ? base::Result<void>() : std::unexpected(answer.error()));
  });
}

}  // namespace hearth::building_blocks
