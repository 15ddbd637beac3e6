// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/mqtt.h"

#include <utility>

namespace hearth::integrations::mqtt {

namespace {

std::string prefix_of(const Options& options) {
  return options.discovery ? options.discovery_prefix : "";
}

}  // namespace

Mqtt::Mqtt(const domains::IntegrationHome& home, Options options)
    : home_(home), prefix_(prefix_of(options)), client_(home, std::move(options)) {}

Mqtt::~Mqtt() {
  stop();
}

base::Result<void> Mqtt::start() {
  if (auto started = client_.start(); !started) return started;
  home_.hub.mqtt = &client_;
  services_ = std::make_unique<Services>(home_, client_);
  return start_discovery();
}

base::Result<void> Mqtt::start_discovery() {
  if (prefix_.empty()) return {};
  discovery_ = std::make_unique<Discovery>(home_, client_, prefix_);
  client_.set_discovery(discovery_.get());
  return discovery_->start();
}

void Mqtt::stop() {
  // First, so that its entities keep their states when the connection ends.
  stop_discovery();
  services_.reset();
  if (home_.hub.mqtt == &client_) home_.hub.mqtt = nullptr;
  client_.stop();
}

void Mqtt::stop_discovery() {
  if (discovery_) discovery_->stop();
  client_.set_discovery(nullptr);
}

bool Mqtt::change(Options options) {
  const std::string prefix = prefix_of(options);
  if (auto changed = client_.change(std::move(options)); !changed) return false;
  if (prefix == prefix_) return true;
  stop_discovery();
  home_.domains.entities().release("mqtt");
  discovery_.reset();
  prefix_ = prefix;
  return start_discovery().has_value();
}

}  // namespace hearth::integrations::mqtt
