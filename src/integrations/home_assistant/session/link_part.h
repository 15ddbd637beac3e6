// SPDX-License-Identifier: Apache-2.0
// The link as one of several has it that use it: each numbers its commands for itself, and none gets the answers of
// another. Bus thread only.
#pragma once

#include <utility>

#include "integrations/home_assistant/session/hub_link.h"

namespace hearth::integrations::home_assistant {

class LinkPart final : public HubLink {
 public:
  static constexpr std::uint64_t kParts = 8;

  // `part`: below kParts, of nobody else. The link must outlive this.
  LinkPart(HubLink& link, std::uint64_t part) : link_(link), part_(part) {}

  // Of a number that the link tells: whose it is, and which it is there.
  static std::uint64_t part_of(std::uint64_t number) { return number % kParts; }
  static std::uint64_t own_of(std::uint64_t number) { return number / kParts; }

  void send(std::uint64_t number, json::object command, std::chrono::milliseconds limit) override {
    link_.send(number * kParts + part_, std::move(command), limit);
  }
  void subscribe(std::uint64_t number, json::object command) override {
    link_.subscribe(number * kParts + part_, std::move(command));
  }
  void unsubscribe(std::uint64_t number) override { link_.unsubscribe(number * kParts + part_); }
  void reconnect() override { link_.reconnect(); }
  void ask_again() override { link_.ask_again(); }

 private:
  HubLink& link_;
  const std::uint64_t part_;
};

}  // namespace hearth::integrations::home_assistant
