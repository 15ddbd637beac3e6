// SPDX-License-Identifier: Apache-2.0
// Answers a service call that makes several others, after the last of them. Bus thread only.
#pragma once

#include "core/services/service_call.h"

namespace hearth::domains {

class ReplyAll {
 public:
  // REQUIRES: calls > 0.
  ReplyAll(std::size_t calls, core::ServiceReply reply) : calls_(calls), reply_(std::move(reply)) {}

  // Once for each call. The reply is the first error, if there was one.
  void add(base::Result<core::CallOutcome> outcome) {
    if (!outcome && result_) result_ = std::unexpected(outcome.error());
    if (--calls_ == 0) reply_(std::move(result_));
  }

 private:
  std::size_t calls_;
  core::ServiceReply reply_;
  base::Result<json::value> result_;
};

}  // namespace hearth::domains
