// SPDX-License-Identifier: Apache-2.0
// A service call: the request, the handler's view of it, and its result.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/bus/context.h"
#include "core/bus/event_bus.h"
#include "core/rights/rights.h"
#include "core/services/service_target.h"
#include "core/states/state.h"

namespace hearth::core {

struct ServiceRequest {
  std::string domain;  // both lower-cased
  std::string service;
  json::object data;
  Context context;
  Rights rights = {};
  bool return_response = false;
  bool announced = true;                          // fires call_service
  base::Duration wait = std::chrono::seconds(2);  // maximum time for the commanded devices to report
  IfFull if_full = IfFull::wait;
};

struct CallOutcome {
  std::vector<StatePtr> changed;  // one per entity, its last state, in order of first change
  json::value response;           // null unless asked for
};

// A call as its handler sees it. Bus thread only.
class ServiceCall {
 public:
  ServiceCall(ServiceRequest request, ResolvedTarget target)
      : request_(std::move(request)), target_(std::move(target)) {}

  const json::object& data() const { return request_.data; }  // validated
  const std::vector<std::string>& entity_ids() const { return target_.entity_ids; }
  // True if the caller named entity_ids()[index] itself, and did not reach it through an area, a device or the like.
  bool named(std::size_t index) const { return index < target_.named; }
  const Context& context() const { return request_.context; }
  const ServiceRequest& request() const { return request_; }

 private:
  ServiceRequest request_;
  ResolvedTarget target_;
};

// A handler's answer: called once, on the bus thread, at once or later. If destroyed uncalled, the call fails with
// internal.
using ServiceReply = std::function<void(base::Result<json::value> response)>;
// Replies after so many replies: with the first error, otherwise with all fields of the responses. Bus thread.
ServiceReply join_replies(std::size_t count, ServiceReply reply);
// `call` lives until the reply. An error with code invalid, pin_needed or pin_wrong blames the data (400), forbidden
// and throttled blame the caller (403, 429), any other the hub (500).
using ServiceHandler = std::function<void(const ServiceCall& call, ServiceReply reply)>;

}  // namespace hearth::core
