// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/http/asking.h"

#include <fmt/format.h>

#include <utility>

namespace hearth::building_blocks {

void Asking::ask(const RequestPlan& plan, const automation::Renderer& renderer, Done done,
                 const templates::Variables& given) {
  auto request = render_request(plan, renderer, given);
  if (!request) return done(std::unexpected(request.error()));
  under_way_ = http_.ask(std::move(*request), [this, done = std::move(done)](net::HttpResult result) {
    const base::Handle ended = std::exchange(under_way_, {});
    if (!result) return done(base::fail(base::ErrorCode::unavailable, result.error().message));
    if (result->status < 200 || result->status > 299)
      return done(base::fail(base::ErrorCode::unavailable, fmt::format("was answered {}", result->status)));
    done(std::move(*result));
  });
}

}  // namespace hearth::building_blocks
