// SPDX-License-Identifier: Apache-2.0
// The sites of a fleet, as commands of its portal see them. Any thread.
#pragma once

#include "base/json.h"

namespace hearth::api {

class Sites {
 public:
  virtual ~Sites() = default;

  // Whether this hub is a portal.
  virtual bool is_portal() const = 0;
  // An object each, with `site`; docs/websocket.md has the other fields.
  virtual json::array sites() const = 0;
};

}  // namespace hearth::api
