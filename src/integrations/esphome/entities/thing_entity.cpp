// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/entities/thing_entity.h"

#include <algorithm>
#include <utility>

#include "core/values/units.h"

namespace hearth::integrations::esphome {
namespace {

// The state is in the unit that the user wants; the node reports in its own.
void keep_unit(domains::Report& report, const core::State& last, const domains::Abilities& can) {
  const json::value* const own = can.attributes.if_contains("unit_of_measurement");
  const json::object attributes = last.attributes();
  const json::value* const shown = attributes.if_contains("unit_of_measurement");
  if (!own || !shown || !shown->is_string() || *own == *shown || !report.value) return;
  const auto converted = core::convert_unit_of(last.value(), shown->get_string(), own->get_string());
  report.value = converted ? domains::OptionalValue(*converted) : domains::OptionalValue();
}

}  // namespace

std::unique_ptr<domains::Entity> ThingEntity::make(domains::EntityInfo info, const core::State* last) {
  const domains::Abilities can = abilities();
  auto made = std::make_unique<domains::Thing>(kind_, std::move(info), can, this);
  thing_ = made.get();
  if (assumed()) thing_->set_extra_attributes({{"assumed_state", true}});
  if (last) {
    domains::Report before = domains::restored(kind_, {}, *last);
    keep_unit(before, *last, can);
    thing_->report(std::move(before));
  }
  return made;
}

bool ThingEntity::changes(const domains::Report& report) const {
  if (report.value && domains::value_text(kind_, *report.value) != thing_->reported()) return true;
  return std::ranges::any_of(report.attributes,
                             [&](const auto& each) { return thing_->attribute(each.key()) != each.value(); });
}

void ThingEntity::report(domains::Report report) {
  const bool counts = kind_.stamped != domains::Stamped::never || kind_.value_of || thing_->info().force_update;
  if (!std::exchange(answers_any_, false) && !counts && !changes(report)) return;
  thing_->report(std::move(report));
}

void ThingEntity::obey(const domains::Order& order) {
  const domains::Report wanted = domains::outcome(kind_, *order.action, order.data);
  const bool says_nothing = !wanted.value && wanted.attributes.empty();
  const bool is_so = !says_nothing && !changes(wanted);
  answers_any_ = says_nothing;
  perform(*order.action, order.data);
  // A node need not report what stays as it is.
  if (is_so) thing_->report({});
}

}  // namespace hearth::integrations::esphome
