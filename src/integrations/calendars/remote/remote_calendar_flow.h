// SPDX-License-Identifier: Apache-2.0
// Adds a calendar by its address, after the hub has read it once. Bus thread only.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "domains/connection_flow.h"
#include "integrations/calendars/events/reading_thread.h"
#include "integrations/calendars/web/requests.h"

namespace hearth::integrations::calendars {

class RemoteCalendarFlow final : public domains::ConnectionFlow {
 public:
  // REQUIRES: the home has an HTTP client.
  explicit RemoteCalendarFlow(const domains::FlowHome& home) : home_(home), reading_(home_.bus) {}

  void begin(Reply reply) override;
  void submit(const json::object& fields, Reply reply) override;

 private:
  void answered(net::HttpResult result);
  void answer(domains::FlowStep step);

  const domains::FlowHome home_;
  std::optional<Requests> requests_;
  ReadingThread reading_;
  domains::FlowResult made_;
  Reply reply_;
  core::Timer later_;
};

}  // namespace hearth::integrations::calendars
