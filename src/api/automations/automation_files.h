// SPDX-License-Identifier: Apache-2.0
// Automations, scripts and scenes as texts in files, for administrators who look at one, change it or remove it. The
// app has it.
//
// The accounts' thread only, because it reads and writes files.
#pragma once

#include <functional>
#include <string>

#include "base/json.h"
#include "base/result.h"

namespace hearth::api {

class AutomationFiles {
 public:
  // Called on the bus thread when the change is in force.
  using Active = std::function<void()>;

  virtual ~AutomationFiles() = default;

  // `domain` is automation, script or scene, `id` the item's id, or a script's object id. As it is written, in the new
  // spelling, with secrets masked. Fails with not_found.
  virtual base::Result<json::value> read(const std::string& domain, const std::string& id) = 0;
  // Checks the item and puts it in place of the former one, in the file where that stands, or adds it. Calls `active`
  // later if it succeeds. Fails with invalid if the item is wrong, with unsupported if it stands where only people can
  // change it, with unavailable if the file cannot be written; then nothing has changed.
  virtual base::Result<void> write(const std::string& domain, const std::string& id, const json::object& item,
                                   Active active) = 0;
  // With its entity. Fails with not_found, and as above.
  virtual base::Result<void> remove(const std::string& domain, const std::string& id, Active active) = 0;
};

}  // namespace hearth::api
