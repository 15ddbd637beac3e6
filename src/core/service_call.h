// SPDX-License-Identifier: Apache-2.0
// What is asked of a service, what its handler sees of it, and what comes of it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/context.h"
#include "core/event_bus.h"
#include "core/rights.h"
#include "core/state.h"

namespace hearth::core {

struct ServiceRequest {
  std::string domain;  // both lower-cased
  std::string service;
  json::object data;
  Context context;
  Rights rights = {};
  bool return_response = false;
  base::Duration wait = std::chrono::seconds(2);  // at most, for the devices that were commanded to report
  IfFull if_full = IfFull::wait;
};

struct CallOutcome {
  std::vector<StatePtr> changed;  // one per entity, its last state, in order of first change
  json::value response;           // null unless asked for
};

// A call as its handler sees it. Bus thread only.
class ServiceCall {
 public:
  ServiceCall(ServiceRequest request, std::vector<std::string> entity_ids)
      : request_(std::move(request)), entity_ids_(std::move(entity_ids)) {}

  const json::object& data() const { return request_.data; }                  // validated
  const std::vector<std::string>& entity_ids() const { return entity_ids_; }  // resolved
  const Context& context() const { return request_.context; }
  const ServiceRequest& request() const { return request_; }

 private:
  ServiceRequest request_;
  std::vector<std::string> entity_ids_;
};

// How a handler answers: once, from the bus thread, at once or later. Destroyed unanswered it counts as a failure of
// the hub.
using ServiceReply = std::function<void(base::Result<json::value> response)>;
// `call` lives until the reply. An error with code invalid says that the data was at fault (400), else the hub was
// (500).
using ServiceHandler = std::function<void(const ServiceCall& call, ServiceReply reply)>;

}  // namespace hearth::core
