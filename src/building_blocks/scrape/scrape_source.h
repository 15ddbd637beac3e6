// SPDX-License-Identifier: Apache-2.0
// The source of `scrape`: one page feeds all entities, each with the text that its selector finds. Bus thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "building_blocks/http/asking.h"
#include "building_blocks/markup/selector.h"
#include "building_blocks/polled/source.h"
#include "building_blocks/rest/rest.h"

namespace hearth::building_blocks {

struct ScrapePlan {
  struct Value {
    Selector selector;
    std::string written;     // the selector as it is written
    std::int64_t index = 0;  // among all that it selects
    std::string attribute;   // empty: its text
  };
  Resource resource;
  std::vector<Value> values;  // of the entities, in their order
};

// The values of a page, in the order of the plan; an error says what the page lacks. Any thread.
Source::Parts scraped(const ScrapePlan& plan, const Document& page);

class ScrapeSource final : public Source {
 public:
  ScrapeSource(std::shared_ptr<const ScrapePlan> plan, const PolledEnvironment& environment)
      : plan_(std::move(plan)), environment_(environment), asking_(environment.http) {}

  void fetch(Done done) override;

 private:
  const std::shared_ptr<const ScrapePlan> plan_;
  const PolledEnvironment& environment_;
  Asking asking_;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // for what a worker has read
};

}  // namespace hearth::building_blocks
