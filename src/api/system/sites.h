// SPDX-License-Identifier: Apache-2.0
// The sites of a fleet, as commands of its portal see them. Any thread.
#pragma once

#include <functional>
#include <string>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class Sites {
 public:
  virtual ~Sites() = default;

  // True if this hub is a portal.
  virtual bool is_portal() const = 0;
  // An object each, with `site`; docs/websocket.md has the other fields.
  virtual json::array sites() const = 0;
  // Takes a site that is silent out of this portal. `done` is called on the bus thread. Fails with not_found, also if
  // this is no portal, and with conflict while the site can be reached.
  virtual void remove(const std::string& site, std::function<void(base::Result<void>)> done) = 0;
};

}  // namespace hearth::api
