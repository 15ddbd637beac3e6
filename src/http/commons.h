// SPDX-License-Identifier: Apache-2.0
// Shared by the workers of a server. Each member says who may call it; the server owns it.
#pragma once

#include <memory>
#include <vector>

#include "base/mutex.h"
#include "base/net/ip_network.h"
#include "http/complaints.h"
#include "http/connection_table.h"
#include "http/memory_budget.h"
#include "http/messages/limits.h"
#include "http/tls/tls_context.h"

namespace hearth::http {

// The certificate for connections that begin now. Any thread.
class CurrentTls {
 public:
  void set(std::shared_ptr<const TlsContext> context) {
    const base::MutexLock lock(mutex_);
    context_.swap(context);
  }
  // Null if there is none.
  std::shared_ptr<const TlsContext> get() const {
    const base::MutexLock lock(mutex_);
    return context_;
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const TlsContext> context_ __attribute__((guarded_by(mutex_)));
};

struct Commons {
  // `trusted_proxies` must outlive this.
  Commons(const Limits& limits, const std::vector<base::IpNetwork>& trusted_proxies)
      : receiving(limits.receiving_bytes), connections(limits.prefix_connections, trusted_proxies) {}

  MemoryBudget receiving;  // bodies and messages
  ConnectionTable connections;
  Complaints about_proxies;      // proxies that are not trusted
  Complaints about_connections;  // too many connections
  CurrentTls tls;
};

}  // namespace hearth::http
