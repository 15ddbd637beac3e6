// SPDX-License-Identifier: Apache-2.0
// Sends one request of the configuration at a time, for sources of polled entities. Bus thread only. Destroying it
// cancels the request.
#pragma once

#include <functional>

#include "building_blocks/http/request_plan.h"
#include "net/http/http_client.h"

namespace hearth::building_blocks {

class Asking {
 public:
  // An answer with a status from 200 to 299; the errors say why there is none, without a subject.
  using Done = std::function<void(base::Result<net::HttpResponse> answer)>;

  explicit Asking(net::HttpClient& http) : http_(http) {}

  // Calls `done` once, at once or later; it may destroy this. Cancels the request before, if it is under way.
  void ask(const RequestPlan& plan, const automation::Renderer& renderer, Done done,
           const templates::Variables& given = {});

 private:
  net::HttpClient& http_;
  base::Handle under_way_;
};

}  // namespace hearth::building_blocks
