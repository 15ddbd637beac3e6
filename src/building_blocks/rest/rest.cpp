// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/rest/rest.h"

#include <fmt/format.h>

#include <memory>

#include "building_blocks/http/answer_text.h"
#include "building_blocks/rest/rest_source.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr base::Duration kRestInterval = std::chrono::seconds(30);

// One of two keys, of which the second may be a template in the configuration of other hubs.
const ConfigNode* find_one_of(ConfigReader& in, std::string_view plain, std::string_view with_template) {
  const ConfigNode* const first = in.find(plain);
  const ConfigNode* const second = in.find(with_template);
  if (first && second)
    in.report(*second, second->error(fmt::format("expected either {} or {}, not both", plain, with_template)));
  return first ? first : second;
}

std::string_view key_of(const ConfigReader& in, std::string_view plain, std::string_view with_template) {
  return in.node().find(plain) || !in.node().find(with_template) ? plain : with_template;
}

void read_encoding(ConfigReader& in, Resource& resource) {
  std::string name;
  in.text("encoding", name);
  if (name.empty()) return;
  resource.encoding = known_charset(name);
  if (resource.encoding.empty())
    in.report(*in.find("encoding"), in.find("encoding")->mismatch("a charset such as utf-8 or iso-8859-1"));
}

// Keys that other hubs have, which mean nothing here.
void skip_unused(ConfigReader& in) {
  in.find("ssl_cipher_list");
}

void read_plan(ConfigReader& in, PolledPlan& plan) {
  auto resource = std::make_shared<Resource>(read_resource(in));
  read_scan_interval(in, plan, kRestInterval);
  plan.source = [resource =
                     std::shared_ptr<const Resource>(std::move(resource))](const PolledEnvironment& environment) {
    return std::make_unique<RestSource>(resource, environment);
  };
}

void read_switch(ConfigReader& in, PolledPlan& plan) {
  auto made = std::make_shared<RestSwitch>();
  RequestPlan& order = made->order;
  read_url(in, "resource", order.url);
  order.method = "POST";
  in.option<std::string>("method", order.method, {{"post", "POST"}, {"put", "PUT"}, {"patch", "PATCH"}});
  read_request(in, order);
  read_params(in, order);
  skip_unused(in);
  made->state.request = order;
  made->state.request.method = "GET";
  if (in.find("state_resource")) read_url(in, "state_resource", made->state.request.url);
  made->body_on = TextTemplate::parse("ON").value();
  made->body_off = TextTemplate::parse("OFF").value();
  if (auto body = read_text_template(in, "body_on")) made->body_on = std::move(*body);
  if (auto body = read_text_template(in, "body_off")) made->body_off = std::move(*body);
  read_scan_interval(in, plan, kRestInterval);
  PolledEntityPlan& entity = read_entity(in, "switch", "REST Switch", plan);
  if (auto is_on = automation::read_data(in, "is_on_template")) {
    entity.value_template = std::move(is_on);
  } else {
    entity.payload_on = made->body_on.text();
    entity.payload_off = made->body_off.text();
  }
  order.payload = TextTemplate();
  order.add_content_type();
  plan.source = [made = std::shared_ptr<const RestSwitch>(std::move(made))](const PolledEnvironment& environment) {
    return std::make_unique<RestSwitchSource>(made, environment);
  };
}

}  // namespace

Resource read_resource(ConfigReader& in) {
  Resource resource;
  RequestPlan& request = resource.request;
  find_one_of(in, "resource", "resource_template");
  read_url(in, key_of(in, "resource", "resource_template"), request.url);
  in.option<std::string>("method", request.method,
                         {{"get", "GET"}, {"post", "POST"}, {"put", "PUT"}, {"patch", "PATCH"}, {"delete", "DELETE"}});
  if (find_one_of(in, "payload", "payload_template"))
    request.payload = read_text_template(in, key_of(in, "payload", "payload_template"));
  read_request(in, request);
  read_params(in, request);
  request.add_content_type();
  read_encoding(in, resource);
  skip_unused(in);
  return resource;
}

void read_rest(const automation::Sections& sections, PlanReader& reader) {
  reader.items_of(sections, kRest, [&](const ConfigNode& item) {
    reader.add(kRest, item, [](ConfigReader& in, PolledPlan& plan) {
      read_plan(in, plan);
      read_entities(in, "sensor", "REST Sensor", plan);
      read_entities(in, "binary_sensor", "REST Binary Sensor", plan);
    });
  });
  reader.platforms_of(sections, kRest, "sensor binary_sensor switch",
                      [&](const std::string& domain, const ConfigNode& item) {
                        reader.add(kRest, item, [&](ConfigReader& in, PolledPlan& plan) {
                          if (domain == "switch") return read_switch(in, plan);
                          read_plan(in, plan);
                          read_entity(in, domain, domain == "sensor" ? "REST Sensor" : "REST Binary Sensor", plan);
                        });
                      });
}

}  // namespace hearth::building_blocks
