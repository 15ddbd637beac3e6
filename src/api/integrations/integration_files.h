// SPDX-License-Identifier: Apache-2.0
// The integrations of this program and where the home's files turn them on, for administrators who look at them or give
// one up. The app implements this.
//
// The configuration's thread only, because it reads and writes files.
#pragma once

#include <functional>
#include <string>

#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/integration_parts.h"

namespace hearth::api {

class IntegrationFiles {
 public:
  virtual ~IntegrationFiles() = default;

  // [{name, set_by, place, removable}], a row for each that the program has. `set_by` is file or page: the section of
  // configuration.yaml that turns it on, or a page of its own. `place` is where a file has it, or null.
  virtual base::Result<json::array> list() = 0;

  // Called on the bus thread when the integration is gone, with its parts.
  using Gone = std::function<void(const core::IntegrationParts& parts)>;

  // Takes the integration's section out of configuration.yaml, whose former text is kept, stops the integration and
  // removes its entries from the registry; `with_areas`: areas and floors, too, as core::IntegrationParts has them.
  // `user_id`: who wants it, for what is kept of the change. Fails with not_found if no file has it, with unsupported
  // if it cannot be removed there, with unavailable if the file cannot be written; then nothing has changed.
  virtual base::Result<void> remove(const std::string& name, bool with_areas, const std::string& user_id,
                                    Gone gone) = 0;
};

}  // namespace hearth::api
