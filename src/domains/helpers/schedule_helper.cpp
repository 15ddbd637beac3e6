// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/schedule_helper.h"

#include "core/registry/schedule_fields.h"
#include "domains/entities/local_time.h"
#include "domains/helpers/schedule_times.h"

namespace hearth::domains {

ScheduleHelper::ScheduleHelper(core::Hub& hub, core::Item item, bool editable)
    : HelperEntity(hub, std::move(item), editable) {
  moves_ = hub.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) {
    if (thing_) show();
  });
}

Report ScheduleHelper::first(const Kind&, const core::State*) {
  return report();
}

void ScheduleHelper::added_to_home(EntityTable&) {
  if (!data_.empty()) show();
}

void ScheduleHelper::show() {
  Report now = report();
  thing_->set_extra_attributes(data_);
  const core::Context context = core::Context::create(hub_.clock.now());
  thing_->report(std::move(now), &context);
}

Report ScheduleHelper::report() {
  const std::string zone = hub_.config.load()->time_zone;
  const ScheduleMoment moment = schedule_at(item_.fields, hub_.clock.now(), zone);
  const json::value* const data = moment.block ? moment.block->if_contains("data") : nullptr;
  data_ = data ? data->get_object() : json::object();
  if (moment.next)
    next_ = hub_.bus.schedule_at(*moment.next, [this] { show(); });
  else
    next_ = {};
  return {.value = moment.block ? "on" : "off",
          .attributes = {{"editable", editable_},
                         {"next_event", moment.next ? json::value(local_time_text(*moment.next, zone)) : nullptr}}};
}

base::Result<json::object> ScheduleHelper::answer(const Action&, const json::object&) {
  json::object week;
  for (const std::string_view day : core::kScheduleDays) {
    const json::value* const blocks = item_.fields.if_contains(day);
    week[day] = blocks ? *blocks : json::array();
  }
  return week;
}

}  // namespace hearth::domains
