// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/delegated_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"

namespace hearth::automation {

using templates::Value;

AskedOfHub::AskedOfHub(core::Hub& hub, std::string device_id, Ask ask)
    : hub_(hub), device_id_(std::move(device_id)), ask_(std::move(ask)) {
  look();
}

void AskedOfHub::look() {
  if (alive_.expired()) {
    asked_ = {};
    if (core::DeviceDelegate* const delegate = core::find_delegate(hub_, device_id_)) {
      alive_ = delegate->alive();
      asked_ = ask_(*delegate);
    } else if (++looks_ == kLooksUntilSaid) {
      base::log_warning("automation", "no hub is connected that knows triggers and conditions of the device {}",
                        device_id_);
    }
  }
  next_ = hub_.bus.schedule(kLook, [this] { look(); });
}

DelegatedWatch::DelegatedWatch(const Trigger& trigger, Home& home, Fire fire)
    : trigger_(trigger),
      home_(home),
      fire_(std::move(fire)),
      asked_(home.hub, std::get<DelegatedTrigger>(trigger.kind).form.device_id, [this](core::DeviceDelegate& delegate) {
        return delegate.watch(std::get<DelegatedTrigger>(trigger_.kind).form.written,
                              [this, hub = delegate.hub_name()](json::object fired, const core::Context& cause) {
                                on_fire(hub, std::move(fired), cause);
                              });
      }) {}

void DelegatedWatch::on_fire(const std::string& hub, json::object trigger, const core::Context& cause) const {
  constexpr std::string_view kOwn[] = {"platform", "id", "idx", "alias"};
  std::string what = base::short_text_at(trigger, "description");
  if (what.empty()) what = "a trigger of a device";
  FiringFacts facts;
  for (auto& [key, value] : trigger)
    if (std::ranges::find(kOwn, std::string_view(key)) == std::end(kOwn))
      facts.emplace_back(std::string(key), Value::from_json(std::move(value)));
  const Moment moment = home_.now();
  fire_({trigger_value(trigger_, std::move(facts)), fmt::format("{}: {}", hub, what), cause}, moment);
}

}  // namespace hearth::automation
