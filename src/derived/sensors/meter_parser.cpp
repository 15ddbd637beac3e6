// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "automation/config/parsing.h"
#include "core/values/entity_id.h"
#include "derived/platforms.h"
#include "derived/units/meter_unit.h"

namespace hearth::derived {
namespace {

constexpr std::size_t kMostTariffs = 20;

// {0} minute, {1} hour, {2} day of the offset, from 1.
constexpr std::pair<std::string_view, std::string_view> kCycles[] = {
    {"quarter-hourly", "{0}/15 * * * *"}, {"hourly", "{0} * * * *"},      {"daily", "{0} {1} * * *"},
    {"weekly", "{0} {1} * * {2}"},        {"monthly", "{0} {1} {2} * *"}, {"bimonthly", "{0} {1} {2} */2 *"},
    {"quarterly", "{0} {1} {2} */3 *"},   {"yearly", "{0} {1} {2} 1 *"}};

void read_cycle(Keys& in, Meter::Options& options) {
  const base::ConfigNode *const cycle = in.find("cycle"), *const cron = in.find("cron");
  std::string pattern;
  in.option<std::string>("cycle", options.cycle,
                         {{"quarter-hourly", "quarter-hourly"},
                          {"hourly", "hourly"},
                          {"daily", "daily"},
                          {"weekly", "weekly"},
                          {"monthly", "monthly"},
                          {"bimonthly", "bimonthly"},
                          {"quarterly", "quarterly"},
                          {"yearly", "yearly"}});
  for (const auto& [name, form] : kCycles)
    if (name == options.cycle) pattern = form;
  const base::Duration offset = in.span("offset", base::Duration(0), base::Duration(0));
  options.cron_text = in.text("cron");
  const base::ConfigNode* const offset_node = in.find("offset");
  const auto days = std::chrono::floor<std::chrono::days>(offset);
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(offset - days).count();
  if (offset_node && !cycle) automation::note(in, *offset_node, "needs cycle");
  if (days.count() > 28) automation::note(in, *offset_node, "expected at most 28 days");
  if (options.cycle == "weekly" && days.count() > 6) automation::note(in, *offset_node, "expected less than a week");
  if (options.cycle == "quarter-hourly" && minutes >= 15)
    automation::note(in, *offset_node, "expected less than 15 minutes");
  if (cron) {
    if (cycle) automation::note(in, *cron, "is there beside cycle; keep one of the two");
    pattern = options.cron_text;
  } else if (!pattern.empty()) {
    pattern = fmt::format(fmt::runtime(pattern), minutes % 60, minutes / 60, days.count() + 1);
  }
  if (pattern.empty() || (cycle && cron)) return;
  auto read = Cron::parse(pattern);
  if (read)
    options.cron = std::move(*read);
  else if (cron)
    automation::note(in, *cron, read.error().message);
}

}  // namespace

void parse_utility_meter(Keys& in, Plan& plan) {
  MeterUnit::Options options;
  options.meter.source = read_source(in, "source", plan, kNumbers);
  read_cycle(in, options.meter);
  in.boolean("delta_values", options.meter.delta_values);
  in.boolean("net_consumption", options.meter.net_consumption);
  in.boolean("periodically_resetting", options.meter.periodically_resetting);
  in.texts("tariffs", options.tariffs);
  if (options.tariffs.size() > kMostTariffs)
    automation::note(in, *in.find("tariffs"), fmt::format("expected at most {} tariffs", kMostTariffs));
  std::vector<std::string> slugs;
  for (const std::string& tariff : options.tariffs) {
    const std::string slug = core::slugify(tariff);
    if (slug.empty())
      automation::note(in, *in.find("tariffs"), "expected names");
    else if (std::ranges::find(slugs, slug) != slugs.end())
      automation::note(in, *in.find("tariffs"), fmt::format("{} stands there twice", tariff));
    slugs.push_back(slug);
  }
  if (!options.tariffs.empty()) plan.also = {"select"};
  plan.unit = [options](std::shared_ptr<const Plan> own, const Environment& environment) {
    return std::make_unique<MeterUnit>(std::move(own), environment, options);
  };
}

}  // namespace hearth::derived
