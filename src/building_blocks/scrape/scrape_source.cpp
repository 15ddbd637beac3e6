// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/scrape/scrape_source.h"

#include <fmt/format.h>

#include <utility>

#include "base/text/text.h"
#include "building_blocks/http/answer_text.h"
#include "building_blocks/polled/workers.h"

namespace hearth::building_blocks {
namespace {

base::Result<Fetched> value_on(const Document& page, const ScrapePlan::Value& wanted) {
  const xmlNode* const found = wanted.selector.find(page, wanted.index);
  if (!found)
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("the page has no {}, index {}", wanted.written, wanted.index));
  if (wanted.attribute.empty()) return Fetched{.text = text_within(*found)};
  for (const xmlAttr* each = found->properties; each; each = each->next) {
    if (base::equals_ignoring_case(reinterpret_cast<const char*>(each->name), wanted.attribute))
      return Fetched{.text = value_of(*each)};
  }
  return base::fail(base::ErrorCode::unavailable, fmt::format("the page's {}, index {}, has no attribute {}",
                                                              wanted.written, wanted.index, wanted.attribute));
}

}  // namespace

Source::Parts scraped(const ScrapePlan& plan, const Document& page) {
  Source::Parts parts;
  for (const ScrapePlan::Value& each : plan.values) parts.push_back(value_on(page, each));
  return parts;
}

void ScrapeSource::fetch(Done done) {
  asking_.ask(plan_->resource.request, environment_.home.renderer(), [this, done = std::move(done)](auto answer) {
    if (!answer) return done(std::unexpected(answer.error()));
    // Not on the bus: a large page takes a while.
    const auto made = std::make_shared<Parts>();
    environment_.workers.run(
        [made, plan = plan_, answer = std::move(*answer)](const auto&) -> base::Result<std::string> {
          const auto page = Document::parse_html(text_of(answer, plan->resource.encoding));
          if (!page) return std::unexpected(page.error());
          *made = scraped(*plan, *page);
          return std::string();
        },
        [made, done, alive = std::weak_ptr(alive_)](const base::Result<std::string>& read) {
          if (alive.expired()) return;
          if (!read) return done(std::unexpected(read.error()));
          done(std::move(*made));
        });
  });
}

}  // namespace hearth::building_blocks
