// SPDX-License-Identifier: Apache-2.0
// How many connections each address prefix has open. Loopback and trusted proxies, behind which there are many, have no
// limit of their own. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/address_prefix.h"
#include "base/ip_network.h"
#include "base/mutex.h"

namespace hearth::http {

class ConnectionTable {
 public:
  // `trusted` must outlive it.
  ConnectionTable(std::size_t limit, const std::vector<base::IpNetwork>& trusted) : limit_(limit), trusted_(trusted) {}

  // One connection's; given back when destroyed. Must not outlive the table.
  class Place {
   public:
    Place() = default;
    Place(Place&& other) noexcept : table_(std::exchange(other.table_, nullptr)), prefix_(other.prefix_) {}
    Place& operator=(Place&& other) noexcept {
      std::swap(table_, other.table_);
      std::swap(prefix_, other.prefix_);
      return *this;
    }
    ~Place() {
      if (table_) table_->give_back(*prefix_);
    }

   private:
    friend class ConnectionTable;
    ConnectionTable* table_ = nullptr;  // null: it is not counted
    std::optional<base::AddressPrefix> prefix_;
  };
  // Nothing if the peer's prefix has all that it may have.
  std::optional<Place> take(const base::Address& peer);

 private:
  bool is_counted(const base::Address& peer) const;
  void give_back(const base::AddressPrefix& prefix);

  const std::size_t limit_;
  const std::vector<base::IpNetwork>& trusted_;
  base::Mutex mutex_;
  std::map<base::AddressPrefix, std::size_t> counts_ __attribute__((guarded_by(mutex_)));  // none is 0
};

}  // namespace hearth::http
