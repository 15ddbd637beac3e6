// SPDX-License-Identifier: Apache-2.0
// The address of one host, found on a thread that is left behind if the system does not answer: asking it may take a
// minute, and nobody can end it. One thread at a time. Any thread, one after the other.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "net/reactor/resolver.h"

namespace hearth::building_blocks {

class HostLookup {
 public:
  static constexpr std::chrono::seconds kPatience{10};

  // `lookup` is called on a thread of its own.
  explicit HostLookup(std::string host, net::Lookup lookup = net::look_up)
      : host_(std::move(host)), lookup_(std::move(lookup)) {}

  // The first address. Waits for kPatience at most; a later call waits for the same answer. Fails with unavailable.
  base::Result<net::Address> find(const std::function<bool()>& is_wanted);

 private:
  struct Question;

  const std::string host_;
  const net::Lookup lookup_;
  std::shared_ptr<Question> open_;  // null: none
};

}  // namespace hearth::building_blocks
