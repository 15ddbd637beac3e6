// SPDX-License-Identifier: Apache-2.0
// For tests of protocols: a link without a network, which the test plays. One thread, any.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "net/link/link.h"

namespace hearth::net::testing {

class FakeLink final : public Link {
 public:
  static constexpr std::chrono::milliseconds kPause{1'000};

  explicit FakeLink(Target target = {.host = "device.test", .port = 1}) : target_(std::move(target)) {}

  // The test's steps. `handler`: of the protocol that is tested; once, before the others.
  void set_handler(Handler& handler) { handler_ = &handler; }
  void connect() {
    state_ = State::connected;
    handler_->on_connected();
  }
  void receive(std::string_view bytes) { handler_->on_bytes(bytes); }
  void lose(Failure why = {Reason::cannot_connect, "device.test:1 has closed the connection"}) {
    state_ = State::waiting;
    written_.clear();
    handler_->on_lost(why, kPause);
  }
  // The protocol has called fail: what a link would tell it later.
  void lose_if_failed() {
    if (auto why = std::exchange(failed_, {})) lose(*std::move(why));
  }

  // The protocol's steps.
  std::string take_written() { return std::exchange(written_, {}); }
  const std::optional<Failure>& failed() const { return failed_; }
  bool reading_paused() const { return reading_paused_; }
  int retries() const { return retries_; }

  State state() const override { return state_; }
  const Target& target() const override { return target_; }
  void write(std::string_view bytes) override {
    if ((state_ == State::connected || state_ == State::ready) && !failed_) written_ += bytes;
  }
  void set_ready() override {
    if (state_ == State::connected) state_ = State::ready;
  }
  void fail(Failure why) override {
    if (state_ != State::waiting && state_ != State::stopped && !failed_) failed_ = std::move(why);
  }
  void retry_now() override {
    if (state_ != State::waiting && state_ != State::stopped) return;
    ++retries_;
    state_ = State::connecting;
  }
  void set_target(Target target) override { target_ = std::move(target); }
  void stop() override {
    state_ = State::stopped;
    failed_.reset();
  }
  void pause_reading() override { reading_paused_ = true; }
  void resume_reading() override { reading_paused_ = false; }

 private:
  Target target_;
  Handler* handler_ = nullptr;
  State state_ = State::connecting;
  std::string written_;
  std::optional<Failure> failed_;
  bool reading_paused_ = false;
  int retries_ = 0;
};

}  // namespace hearth::net::testing
