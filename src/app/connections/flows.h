// SPDX-License-Identifier: Apache-2.0
// The flows under way: what people begin, and what was found and awaits them. At most kMostFlows; a further one ends
// the oldest of those that a person began, then the oldest of all. A flow that nobody answers ends after kLongest, one
// of something found when that has been silent for kSilent.
//
// Bus thread only.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/connections/integrations.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/hub.h"
#include "domains/connection_flow.h"
#include "domains/entities/failures.h"

namespace hearth::app {

class Flows {
 public:
  static constexpr std::size_t kMostFlows = 32;
  static constexpr std::chrono::minutes kLongest{15}, kSilent{75};
  static constexpr std::size_t kMaxText = 64 * 1024;  // bytes of a field of an answer

  using Done = std::move_only_function<void(base::Result<json::object>)>;
  // The subject of a flow: something found, a connection that it changes, or, with neither, a new one.
  struct Subject {
    std::optional<domains::Discovered> found = {};
    std::optional<domains::ConnectionChange> change = {};

    core::Connection::Source source() const {
      return found ? core::Connection::Source::zeroconf : core::Connection::Source::user;
    }
  };
  // A flow has its result: `then` gets the entry as clients see it, or why there is none.
  using Finish = std::function<void(const IntegrationFactory& factory, const Subject& subject,
                                    domains::FlowResult result, Done then)>;

  // All must outlive this. `changed`: those in progress are others now.
  Flows(core::Hub& hub, domains::Failures& failures, Finish finish, std::function<void()> changed);
  ~Flows();

  void use(net::Reactor& reactor, net::HttpClient& http) {
    reactor_ = &reactor;
    http_ = &http;
  }
  // As api::Connections says.
  void begin(const IntegrationFactory& factory, std::optional<domains::ConnectionChange> change, Done done);
  void submit(const std::string& flow_id, json::object fields, Done done);
  base::Result<json::object> show(const std::string& flow_id) const;
  base::Result<void> end(const std::string& flow_id);

  // Something was found, or is still there. One flow for each unique id.
  void found(const IntegrationFactory& factory, domains::Discovered what);
  // It has gone, or has a connection now.
  void gone(std::string_view handler, std::string_view unique_id);
  // Null if the flow is not of something found.
  const domains::Discovered* found_by(const std::string& flow_id, std::string& handler) const;
  // Flows for devices that were found.
  json::array in_progress() const;
  void clear();

 private:
  struct One;
  using Place = std::list<std::unique_ptr<One>>::iterator;

  One& add(const IntegrationFactory& factory, Subject subject);
  Place place_of(std::string_view flow_id);
  const One* find(std::string_view flow_id) const;
  void erase(Place place);
  // Runs code of an integration; an exception ends the flow.
  void guard(One& one, const std::function<void()>& work);
  void heard(const std::string& flow_id, domains::FlowStep step);
  void finish(One& one, domains::FlowResult result);
  void answer(One& one, base::Result<json::object> with);
  void end_with(const std::string& flow_id, const std::string& reason);
  void watch(One& one);
  void tell(const One& one, std::string_view type);

  core::Hub& hub_;
  domains::Failures& failures_;
  const Finish finish_;
  const std::function<void()> changed_;
  net::Reactor* reactor_ = nullptr;
  net::HttpClient* http_ = nullptr;
  std::list<std::unique_ptr<One>> all_;  // the oldest first
};

}  // namespace hearth::app
