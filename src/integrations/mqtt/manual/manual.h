// SPDX-License-Identifier: Apache-2.0
// Keeps the components that configuration.yaml describes in the home: those gone from the file are removed, even if
// that happened while the hub was down; unchanged ones stay as they are. Bus thread only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "integrations/mqtt/discovery/parts.h"
#include "integrations/mqtt/manual/manual_items.h"

namespace hearth::integrations::mqtt {

class Manual {
 public:
  static constexpr std::size_t kMaxLogged = 20;  // faults of one reading; the report has all

  // Both must outlive this.
  Manual(core::Hub& hub, Parts& parts) : hub_(hub), parts_(parts) {}

  void apply(const ManualItems& items);
  // Forgets the entities of earlier runs that neither the file nor anything else describes any more.
  void settle();
  void stop();
  void connection_changed() const;

  void report(json::array& rows) const;
  void debug_info(json::object& info, std::string_view device_id) const;

 private:
  struct Entry : Source {
    std::string place, text;
    std::string key;  // domain and unique id, as LastValues has it
    std::vector<std::string> faults;
    json::object keys;  // without secrets
  };

  void remember();
  void log_new(const std::set<std::string>& former) const;
  std::set<std::string> all_faults() const;

  core::Hub& hub_;
  Parts& parts_;
  std::map<std::string, Entry> entries_;  // by component and unique id
  std::vector<ManualFault> faults_;
  std::set<std::string, std::less<>> unread_;
};

}  // namespace hearth::integrations::mqtt
