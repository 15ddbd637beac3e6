// SPDX-License-Identifier: Apache-2.0
// Counts the open connections of each address prefix. Loopback and trusted proxies, which stand for many clients, have
// no limit. Any thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/net/address_prefix.h"
#include "base/net/ip_network.h"

namespace hearth::http {

class ConnectionTable {
 public:
  // `trusted` must outlive this.
  ConnectionTable(std::size_t limit, const std::vector<base::IpNetwork>& trusted) : limit_(limit), trusted_(trusted) {}

  // The place of one connection, returned on destruction. Must not outlive the table.
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
      if (table_) table_->release(*prefix_);
    }

   private:
    friend class ConnectionTable;
    ConnectionTable* table_ = nullptr;  // null if not counted
    std::optional<base::AddressPrefix> prefix_;
  };
  // Null if the peer's prefix has reached its limit.
  std::optional<Place> take(const base::Address& peer);

 private:
  bool is_counted(const base::Address& peer) const;
  void release(const base::AddressPrefix& prefix);

  const std::size_t limit_;
  const std::vector<base::IpNetwork>& trusted_;
  base::Mutex mutex_;
  std::map<base::AddressPrefix, std::size_t> counts_ __attribute__((guarded_by(mutex_)));  // absent means 0
};

}  // namespace hearth::http
