// SPDX-License-Identifier: Apache-2.0
#include "energy/cost_count.h"

#include <cmath>

#include "base/json/json_fields.h"
#include "energy/units.h"
#include "recorder/history/statistics.h"

namespace hearth::energy {
namespace {

// Of the attributes' JSON; empty if there is none.
std::string unit_in(std::string_view attributes) {
  const auto parsed = base::parse_json(attributes);
  return parsed && parsed->is_object() ? base::text_at(parsed->get_object(), "unit_of_measurement") : std::string();
}

}  // namespace

void CostCount::restore(double cost, base::Timestamp since, std::string reading) {
  cost_ = cost;
  since_ = since;
  reading_ = std::move(reading);
}

void CostCount::keep(const recorder::Change& state) {
  reading_ = state.value;
  attributes_ = state.attributes;
  at_ = state.updated;
}

bool CostCount::take(const recorder::Change& state, Role role, const std::optional<PriceNow>& price) {
  if (!recorder::measured(state) || !recorder::is_total(state.attributes)) return false;
  if (!cost_) {
    cost_ = 0;
    since_ = state.updated;
  }
  if (reading_.empty()) {
    keep(state);
    return true;
  }
  recorder::Change former = state;
  former.value = reading_;
  if (!attributes_.empty()) {
    former.updated = at_;
    former.attributes = attributes_;
  }
  const std::string unit = unit_in(state.attributes);
  const auto shown = shown_unit(role, unit);
  if (!price || !shown) {
    if (!unpriced_since_) unpriced_since_ = state.updated;
    if (state.updated - *unpriced_since_ < kPriceWait) return false;
    keep(state);
    return true;
  }
  unpriced_since_.reset();
  const double gained = recorder::gained_between(former, state);
  keep(state);
  *cost_ += gained * shown->factor * price->number * price_factor(role, unit, price->unit);
  return true;
}

}  // namespace hearth::energy
