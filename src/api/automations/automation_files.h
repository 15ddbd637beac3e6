// SPDX-License-Identifier: Apache-2.0
// The texts of automations, scripts and scenes in their files, which administrators read, change and remove. The app
// implements this.
//
// The configuration's thread only, because it reads and writes files.
#pragma once

#include <functional>
#include <string>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::api {

class AutomationFiles {
 public:
  // Called on the bus thread when the change is in force.
  using Active = std::function<void()>;

  virtual ~AutomationFiles() = default;

  // The user who wants it, for what is kept of the change; empty if nobody is known.
  using By = std::string;

  struct Item {
    json::value content;  // as it is written, in the new spelling, with secrets masked
    // Its own text, as it stands in its file: its keys from the first column on, with comments. Fails with unsupported
    // if it has no lines of its own or only people can change it.
    base::Result<std::string> text;
  };
  // `domain` is automation, script or scene, `id` the item's id, or a script's object id. Fails with not_found.
  virtual base::Result<Item> read(const std::string& domain, const std::string& id) = 0;
  // Checks the item and puts it in place of the former one, in the file where that stands, or adds it. Calls `active`
  // later if it succeeds. Fails with invalid if the item is wrong, with unsupported if only people may change it or its
  // text cannot be told from that of others, with unavailable if the file cannot be written; then nothing has changed.
  virtual base::Result<void> write(const std::string& domain, const std::string& id, const json::object& item,
                                   const By& by, Active active) = 0;
  // Puts an item's own text in its place, or adds it, otherwise as write does. What is wrong with the text begins with
  // `item.yaml:line:`, or `item.yaml:line:column:`.
  virtual base::Result<void> write_text(const std::string& domain, const std::string& id, const std::string& text,
                                        const By& by, Active active) = 0;
  // With its entity. Fails with not_found, and as above.
  virtual base::Result<void> remove(const std::string& domain, const std::string& id, const By& by, Active active) = 0;

  // {current, revisions: [{revision, at, kind, user_id, changes: [{path, kind}], before}]}, newest first: the item's
  // text, null if it is not there; and of each change what the texts of files that are kept say. `user_id` is null if
  // it is not known who made it. An item that was never there has none.
  virtual base::Result<json::object> revisions(const std::string& domain, const std::string& id) = 0;
  // [{item_id, name, revision, at, user_id}], newest first: what is no longer there, with the last text that is kept.
  virtual base::Result<json::array> deleted(const std::string& domain) = 0;
  // Puts the item's text of that revision back. Fails with not_found if it is not kept or had no such item, and as
  // write does.
  virtual base::Result<void> restore(const std::string& domain, const std::string& id, const std::string& revision,
                                     const By& by, Active active) = 0;
};

}  // namespace hearth::api
