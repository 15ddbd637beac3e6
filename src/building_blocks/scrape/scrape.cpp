// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/scrape/scrape.h"

#include <memory>

#include "building_blocks/scrape/scrape_source.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr base::Duration kScrapeInterval = std::chrono::minutes(10);
constexpr std::string_view kScrapeName = "Web scrape";

void read_value(ConfigReader& in, ScrapePlan& plan) {
  ScrapePlan::Value& made = plan.values.emplace_back();
  const ConfigNode* const node = in.find("select");
  if (automation::is_missing(node)) {
    automation::note_missing(in, in.node(), "select");
  } else {
    made.written = automation::value_or_note(in, *node, node->text());
    auto selector = Selector::parse(made.written);
    if (selector)
      made.selector = std::move(*selector);
    else if (!made.written.empty())
      in.report(*node, node->error(selector.error().message));
  }
  in.integer("index", made.index, -10'000, 10'000);
  in.text("attribute", made.attribute);
}

void read_page(ConfigReader& in, PolledPlan& plan, const std::shared_ptr<ScrapePlan>& made) {
  made->resource = read_resource(in);
  read_scan_interval(in, plan, kScrapeInterval);
  plan.source = [made = std::shared_ptr<const ScrapePlan>(made)](const PolledEnvironment& environment) {
    return std::make_unique<ScrapeSource>(made, environment);
  };
}

}  // namespace

void read_scrape(const automation::Sections& sections, PlanReader& reader) {
  reader.items_of(sections, kScrape, [&](const ConfigNode& item) {
    reader.add(kScrape, item, [](ConfigReader& in, PolledPlan& plan) {
      const auto made = std::make_shared<ScrapePlan>();
      read_page(in, plan, made);
      read_entities(in, "sensor", kScrapeName, plan,
                    [&](ConfigReader& each, PolledEntityPlan&) { read_value(each, *made); });
    });
  });
  reader.platforms_of(sections, kScrape, "sensor", [&](const std::string& domain, const ConfigNode& item) {
    reader.add(kScrape, item, [&](ConfigReader& in, PolledPlan& plan) {
      const auto made = std::make_shared<ScrapePlan>();
      read_page(in, plan, made);
      read_entity(in, domain, kScrapeName, plan);
      read_value(in, *made);
    });
  });
}

}  // namespace hearth::building_blocks
