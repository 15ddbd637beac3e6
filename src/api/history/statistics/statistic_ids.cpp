// SPDX-License-Identifier: Apache-2.0
#include "api/history/statistics/statistic_ids.h"

#include <algorithm>

#include "api/history/query.h"
#include "base/json/json.h"
#include "core/values/entity_filter.h"
#include "recorder/log/log_packer.h"

namespace hearth::api {
namespace {

std::optional<std::string> unit_of(std::string_view attributes_json) {
  const auto parsed = base::parse_json(attributes_json);
  if (!parsed || !parsed->is_object()) return {};
  const json::value* const unit = parsed->get_object().if_contains("unit_of_measurement");
  if (!unit || !unit->is_string()) return {};
  return std::string(unit->get_string());
}

std::optional<std::string> given_unit_of(const core::ReadableRegistry& registry, std::string_view entity_id) {
  const core::RegisteredEntity* const entity = registry.find_entity(entity_id);
  if (!entity) return {};
  const auto items = registry.items_of(core::collection_of(kStatisticsUnit, entity->id));
  const json::value* const unit = items.empty() ? nullptr : items.front()->fields.if_contains("unit_of_measurement");
  if (!unit || !unit->is_string()) return {};
  return std::string(unit->get_string());
}

}  // namespace

StatisticIds::StatisticIds(const core::View& home, std::optional<std::vector<std::string>> entity_ids, Take take)
    : home_(home),
      registry_(home.registry()),
      asked_(std::move(entity_ids)),
      take_(std::move(take)),
      now_(home.clock().now()) {}

base::Result<bool> StatisticIds::read_on(recorder::HistoryReader& reader) {
  const auto until = std::chrono::steady_clock::now() + kQueryTurn;
  if (!begun_) {
    if (auto begun = begin(reader); !begun) return std::unexpected(std::move(begun.error()));
  }
  const std::size_t known = names_ ? names_->size() : 0;
  while (next_ < known + others_.size()) {
    if (std::chrono::steady_clock::now() >= until) return true;
    const std::string& id = next_ < known ? (*names_)[next_] : others_[next_ - known];
    ++next_;
    if (auto looked = look_at(reader, id); !looked) return std::unexpected(std::move(looked.error()));
  }
  return false;
}

base::Result<void> StatisticIds::begin(recorder::HistoryReader& reader) {
  begun_ = true;
  if (auto opened = reader.open(); !opened) return opened;
  if (asked_) {
    others_ = *asked_;
    core::make_unique(others_);
    return {};
  }
  auto names = reader.names();
  if (!names) return std::unexpected(std::move(names.error()));
  names_ = std::move(*names);
  others_ = reader.waiting_names();
  std::erase_if(others_, [&](const std::string& id) { return std::ranges::binary_search(*names_, id); });
  return {};
}

base::Result<void> StatisticIds::look_at(recorder::HistoryReader& reader, const std::string& entity_id) {
  if (!registry_.reads(entity_id)) return {};
  StatisticId id;
  id.entity_id = entity_id;
  id.state = home_.find(entity_id);
  id.recorded = reader.records(entity_id);
  const std::string_view attributes = id.state ? id.state->attributes_json() : std::string_view();
  id.measured = recorder::is_measurement(attributes);
  id.angle = recorder::is_angle(attributes);
  recorder::Change now;
  now.value = id.state ? id.state->value() : std::string_view();
  now.attributes = attributes;
  if (id.recorded && recorder::measured(now)) {
    id.total = recorder::is_total(attributes);
    id.unit = unit_of(attributes);
  } else {
    const auto any = look_back(reader, id);
    if (!any) return std::unexpected(any.error());
    if (!*any) return {};
  }
  id.given_unit = given_unit_of(registry_, entity_id);
  take_(id);
  return {};
}

base::Result<bool> StatisticIds::look_back(recorder::HistoryReader& reader, StatisticId& id) {
  const auto total = reader.last_day_is_total(id.entity_id);
  if (!total) return std::unexpected(total.error());
  if (!*total) return false;
  id.total = **total;
  if (id.measured) {
    id.unit = unit_of(id.state->attributes_json());
    return true;
  }
  const auto last = reader.last_before(id.entity_id, now_);
  if (!last) return std::unexpected(last.error());
  if (!last->empty()) id.unit = unit_of(last->changes().front().attributes);
  return true;
}

}  // namespace hearth::api
