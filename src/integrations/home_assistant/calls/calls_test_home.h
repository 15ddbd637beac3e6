// SPDX-License-Identifier: Apache-2.0
// For tests: a home with some entities of a hub there, whose link only notes what is sent.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "domains/test_home.h"
#include "integrations/home_assistant/calls/instance_calls.h"

namespace hearth::integrations::home_assistant {

// Commands as JSON without what is always the same.
class NotedLink final : public HubLink {
 public:
  void send(std::uint64_t number, json::object command, std::chrono::milliseconds limit) override {
    sent.push_back({number, std::move(command), limit});
  }
  void subscribe(std::uint64_t number, json::object command) override {
    sent.push_back({number, std::move(command), {}});
  }
  void unsubscribe(std::uint64_t number) override { ended.push_back(number); }
  void reconnect() override { ++reconnects; }
  void ask_again() override {}
  void tell_again(const std::string&) override {}

  struct Sent {
    std::uint64_t number;
    json::object command;
    std::chrono::milliseconds limit;
  };
  std::vector<Sent> sent;
  std::vector<std::uint64_t> ended;
  int reconnects = 0;
};

// Ids by a table.
class TabledIds final : public MirroredIds {
 public:
  void add(const std::string& here, const std::string& there) {
    there_[here] = there;
    here_[there] = here;
  }
  std::string_view entity_there(std::string_view id) const override { return find(there_, id); }
  std::string_view entity_here(std::string_view id) const override { return find(here_, id); }
  std::string_view device_there(std::string_view id) const override {
    return id == "device_here" ? "device_there" : "";
  }
  std::string_view device_here(std::string_view id) const override { return id == "device_there" ? "device_here" : ""; }
  std::string_view provider() const override { return provider_; }
  void forget(const std::string& here) { there_.erase(here); }

 private:
  using Ids = std::map<std::string, std::string, std::less<>>;
  static std::string_view find(const Ids& ids, std::string_view id) {
    const auto found = ids.find(id);
    return found == ids.end() ? std::string_view() : std::string_view(found->second);
  }
  const std::string provider_ = "home_assistant.home";
  Ids there_, here_;
};

struct CallsTest : testing::Test {
  // A mirrored entity, light.a_x for light.x there.
  void mirror(const std::string& here, const std::string& value = "off") {
    const auto dot = here.find(".a_");
    ids.add(here, dot == std::string::npos ? here : here.substr(0, dot + 1) + here.substr(dot + 3));
    home.hub.states.set(*core::EntityId::parse(here), {value, "{}", core::Context::create(home.clock.now())}).value();
    core::RegisteredEntity entity{.unique_id = here, .integration = "hue"};
    entity.provider = "home_assistant.home";
    home.hub.registry.put_entity(*core::EntityId::parse(here), std::move(entity)).value();
    home.hub.bus.run_pending();
  }
  void begin() {
    contexts.emplace(home.hub, [](std::string_view user) { return user == "ann"; });
    calls.emplace(CallsHome{.hub = home.hub,
                            .bus = home.bus,
                            .requests = requests,
                            .ids = ids,
                            .options = options,
                            .contexts = *contexts,
                            .rights_missing = [this](bool missing) { rights_missing.push_back(missing); }},
                  services);
  }
  void connect(const std::string& hearth_version = "") {
    OtherHub hub{.version = "2026.2.3", .hearth_version = hearth_version, .user_id = "token_user"};
    calls->take(Opened{hub});
    calls->take(Running{});
  }
  // A service that exists here, for entities of its domain or, if it is empty, of any.
  void add_service(const std::string& domain, const std::string& service, std::vector<core::Field> fields = {},
                   core::ResponseSupport response = core::ResponseSupport::none) {
    core::ServiceDescription description;
    description.domain = domain;
    description.service = service;
    description.fields = std::move(fields);
    description.target_domains = {domain};
    description.response = response;
    own.push_back(home.hub.services.add(std::move(description),
                                        [this](const core::ServiceCall& call, const core::ServiceReply& reply) {
                                          for (const auto& id : call.entity_ids()) called_here.push_back(id);
                                          reply(json::value());
                                        }));
    home.hub.bus.run_pending();
  }

  // The last message but `back`, as "domain.service data target".
  std::string sent(std::size_t back = 0) const {
    if (link.sent.size() <= back) return "nothing";
    const json::object& command = link.sent[link.sent.size() - 1 - back].command;
    const auto part = [&](std::string_view key) {
      const json::value* const found = command.if_contains(key);
      return !found ? std::string("-") : found->is_string() ? std::string(found->get_string()) : base::to_json(*found);
    };
    if (part("type") != "call_service") return base::to_json(command);
    return fmt::format("{}.{} {} {}", part("domain"), part("service"), part("service_data"), part("target"));
  }
  void answer(std::size_t index, const std::string& context_id, const std::string& response = "") {
    json::object result{{"context", {{"id", context_id}, {"user_id", "token_user"}}}};
    if (!response.empty()) result["response"] = base::parse_json(response).value();
    requests.receive(Answer{.number = link.sent.at(index).number, .result = std::move(result)});
    home.hub.bus.run_pending();
  }
  void answer_last(const std::string& context_id, const std::string& response = "") {
    answer(link.sent.size() - 1, context_id, response);
  }
  void refuse_last(const std::string& error) {
    requests.receive(Answer{.number = link.sent.back().number,
                            .outcome = Answer::Outcome::refused,
                            .error = base::parse_json(error).value().as_object()});
    home.hub.bus.run_pending();
  }
  void end_last(Answer::Outcome outcome) {
    requests.receive(Answer{.number = link.sent.back().number, .outcome = outcome});
    home.hub.bus.run_pending();
  }
  // The mirror writes a change with the context there.
  void change(const std::string& there, const std::string& value, const OtherContext& context) {
    const auto known = contexts->context_of(there, context, true);
    const std::string here(ids.entity_here(there));
    home.hub.states.set(*core::EntityId::parse(here), {value, "{}", *known}).value();
    contexts->reported(there, context);
    home.hub.bus.run_pending();
  }
  static OtherContext of_token(const std::string& id) { return {.id = id, .user_id = std::string("token_user")}; }

  domains::TestHome home;
  NotedLink link;
  Requests requests{link};
  TabledIds ids;
  Options options;
  MirroredServices services{home.hub};
  std::vector<bool> rights_missing;
  std::vector<std::string> called_here;
  std::vector<core::Registration> own;
  std::optional<Contexts> contexts;
  std::optional<InstanceCalls> calls;
};

}  // namespace hearth::integrations::home_assistant
