// SPDX-License-Identifier: Apache-2.0
// Changes automations.yaml and scripts.yaml, or the file that has the item, and puts the change in force. The former
// text of a file is kept in .revisions.
//
// The configuration's thread only. A save parses the file three times: as it was, as changed, and with the whole
// configuration, which is put in force.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "api/automations/automation_files.h"
#include "app/items/item_revisions.h"
#include "app/settings/settings.h"
#include "automation/items/item.h"
#include "yaml/edit/yaml_editor.h"
#include "yaml/yaml_document.h"

namespace hearth::app {

class AutomationFiles final : public api::AutomationFiles {
 public:
  using Load = std::function<base::Result<std::shared_ptr<const Settings>>()>;
  // Puts the automations in force, with those entities removed from the registry, and calls `then` on the bus thread.
  using Apply =
      std::function<void(const Settings& settings, std::vector<std::string> removed, std::function<void()> then)>;
  // Called on the bus thread when a change of the item is in force.
  using Tell = std::function<void(const ItemRevisions::Item& item, const By& by)>;

  AutomationFiles(std::filesystem::path folder, Load load, Apply apply, Tell tell,
                  yaml::ParseDocument parse = yaml::parse_document)
      : folder_(std::move(folder)),
        load_(std::move(load)),
        apply_(std::move(apply)),
        tell_(std::move(tell)),
        parse_(std::move(parse)) {}

  base::Result<Item> read(const std::string& domain, const std::string& id) override;
  base::Result<void> write(const std::string& domain, const std::string& id, const json::object& item, const By& by,
                           Active active) override;
  base::Result<void> write_text(const std::string& domain, const std::string& id, const std::string& text, const By& by,
                                Active active) override;
  base::Result<void> remove(const std::string& domain, const std::string& id, const By& by, Active active) override;
  base::Result<json::object> revisions(const std::string& domain, const std::string& id) override;
  base::Result<json::array> deleted(const std::string& domain) override;
  base::Result<void> restore(const std::string& domain, const std::string& id, const std::string& revision,
                             const By& by, Active active) override;

 private:
  struct Place {
    std::string file;  // relative to the folder
    std::string key;   // within the file
    json::object current;
  };

  // Where the item stands. Fails with not_found.
  base::Result<Place> find(const automation::Sections& sections, const std::string& domain,
                           const std::string& id) const;
  static base::Result<yaml::ItemPlace> place_in_text(const std::string& domain, const std::string& id,
                                                     const Place& place);
  base::Result<std::string> own_text_of(const std::string& domain, const std::string& id, const Place& place) const;
  // The file, parsed. Fails with invalid if it is no YAML.
  base::Result<yaml::YamlDocument> parsed(const std::string& file) const;
  // The file's text, empty if there is none.
  base::Result<std::string> text_to_change(const std::string& file) const;
  // Puts these lines of the item into the file, if they are right as they would be read there. `own`: the text that
  // they are of, whose lines are named by errors; null if those of the file are.
  base::Result<void> put_lines(const ItemRevisions::Item& item, const std::string& file, const yaml::ItemPlace& place,
                               const std::string& lines, const std::string* own, const Settings& settings, const By& by,
                               Active active);
  struct Change {
    std::string file, key;  // of the item
    std::string former, text;
    bool removes = false;
  };
  // Writes what the item makes of the file, and puts it in force. Fails with unsupported if nobody reads the file.
  base::Result<void> put(const ItemRevisions::Item& item, const Change& change, const By& by, Active active);
  bool is_included_by_name(const std::string& file) const;

  const std::filesystem::path folder_;
  const Load load_;
  const Apply apply_;
  const Tell tell_;
  const yaml::ParseDocument parse_;
};

}  // namespace hearth::app
