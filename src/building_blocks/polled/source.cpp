// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/source.h"

namespace hearth::building_blocks {

void Source::command(std::size_t, const domains::Action&, const json::object&, Commanded done) {
  done(base::fail(base::ErrorCode::unsupported, "takes no commands"));
}

}  // namespace hearth::building_blocks
