// SPDX-License-Identifier: Apache-2.0
// The connections over which apps that are near take their notifications from the hub itself. One for each app: a new
// one takes the place of the former. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/bus/event_bus.h"
#include "phones/notice.h"

namespace hearth::phones {

class PushChannels {
 public:
  static constexpr base::Duration kConfirmWithin = std::chrono::seconds(10);
  static constexpr std::size_t kMaxUnconfirmed = 64;  // of an app; further ones count as not arrived

  using Put = std::function<void(std::string event)>;
  using Arrived = std::function<void(bool arrived)>;

  // Must outlive this.
  explicit PushChannels(core::EventBus& bus) : bus_(bus) {}

  // Ends with what it returns. `confirms`: the app says what has arrived.
  std::shared_ptr<void> open(const std::string& webhook_id, bool confirms, Put put);
  bool is_open(const std::string& webhook_id) const { return channels_.contains(webhook_id); }
  // `arrived` is called once: with false if the app is not there, or does not confirm in time.
  void send(const std::string& webhook_id, const Notice& notice, Arrived arrived);
  // False if nothing waits for that.
  bool confirm(const std::string& webhook_id, const std::string& confirm_id);

 private:
  struct Waiting {
    Arrived arrived;
    core::Timer until;
  };
  struct Channel {
    std::uint64_t number;
    bool confirms;
    Put put;
    std::map<std::string, Waiting> waiting = {};  // by confirm id
  };
  void close(const std::string& webhook_id, std::uint64_t number);

  core::EventBus& bus_;
  std::map<std::string, Channel> channels_;  // by webhook id
  std::uint64_t last_ = 0;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace hearth::phones
