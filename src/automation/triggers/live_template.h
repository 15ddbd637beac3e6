// SPDX-License-Identifier: Apache-2.0
// A value with templates that is rendered again whenever something that it read changes, and each minute if it reads
// the time. If it reads a whole domain or all states, at most once a second; otherwise at most kMostASecond times, so
// that two templates that change each other cost little. Bus thread only.
#pragma once

#include <functional>

#include "automation/home/home.h"
#include "automation/values/data.h"

namespace hearth::automation {

class LiveTemplate {
 public:
  static constexpr int kMostASecond = 1'000;

  // Not called for the first rendering. `event` is null if the time made it necessary. Must not destroy this before it
  // returns.
  using Changed =
      std::function<void(const base::Result<templates::Value>& value, const core::Event* event, const Moment& moment)>;
  // Renders it, and notes what it has looked at.
  using Render = std::function<base::Result<templates::Value>(const Moment& moment, templates::Dependencies& seen)>;

  // The home must outlive it.
  LiveTemplate(Home& home, Data data, templates::Variables variables, Changed changed);
  LiveTemplate(Home& home, Render render, Changed changed);
  LiveTemplate(const LiveTemplate&) = delete;
  LiveTemplate& operator=(const LiveTemplate&) = delete;

  const base::Result<templates::Value>& value() const { return value_; }  // the last one
  const templates::Dependencies& seen() const { return seen_; }           // by the last rendering

 private:
  static constexpr base::Duration kBetweenMany = std::chrono::seconds(1);

  void render(const Moment& moment);
  void follow(templates::Dependencies seen, std::uint64_t since);
  void on_event(const core::Event& event);
  void render_again(const core::Event* event);
  // False, and it is rendered when the second is over, if it has been too often in it.
  bool may_render();

  Home& home_;
  const Render render_;
  const Changed changed_;
  base::Result<templates::Value> value_;
  templates::Dependencies seen_;
  bool followed_ = false;
  base::SteadyTime rendered_;
  base::SteadyTime second_{};  // when the present one began
  int in_second_ = 0;          // renderings
  bool told_ = false;          // the log has been, of too many
  core::Timer later_, minute_;
  core::EntityListeners::Listening entities_;
  base::Handle events_;
};

}  // namespace hearth::automation
