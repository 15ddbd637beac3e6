// SPDX-License-Identifier: Apache-2.0
// A schedule: on at set times of each weekday, by the clocks of the home. A time that the clocks skip comes at the
// first instant after it; one that they show twice, at the first. Bus thread only.
#pragma once

#include "domains/helpers/helper_entity.h"

namespace hearth::domains {

class ScheduleHelper final : public HelperEntity {
 public:
  ScheduleHelper(core::Hub& hub, core::Item item, bool editable);

  void act(const Action&, const json::object&) override {}
  // schedule.get_schedule: its times by weekday.
  base::Result<json::object> answer(const Action& action, const json::object& data) override;

 private:
  Report first(const Kind& kind, const core::State* last) override;
  void show() override;
  void added_to_home(EntityTable& entities) override;
  // As of now; waits for the next change.
  Report report();

  json::object data_;  // what the present time of being on carries
  core::Timer next_;
  core::Subscription moves_;  // the home's time zone may be another
};

}  // namespace hearth::domains
