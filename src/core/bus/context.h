// SPDX-License-Identifier: Apache-2.0
// The cause of a change: each change and event carries a context, which may name the one that led to it as its parent.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/ulid.h"

namespace hearth::core {

struct Context {
  base::Id id;  // a ULID
  std::optional<base::Id> parent_id;
  std::optional<base::Id> user_id;

  static Context create(base::Timestamp now, std::optional<base::Id> user_id = {}) {
    return {base::make_ulid(now), {}, user_id};
  }

  bool operator==(const Context&) const = default;
};

// {"id":…,"parent_id":…,"user_id":…}
void write_json(std::string& out, const Context& context);

}  // namespace hearth::core
