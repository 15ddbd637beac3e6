// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/mqtt.h"

#include <utility>

namespace hearth::integrations::mqtt {

namespace {

std::string prefix_of(const Options& options) {
  return options.discovery ? options.discovery_prefix : "";
}

}  // namespace

base::Result<Mqtt::Options> Mqtt::Options::parse(const base::ConfigNode& section) {
  base::ConfigNode::Map connection;
  for (const base::ConfigNode::Entry& entry : section.entries()) {
    if (!entry.key.empty() && !is_manual(entry)) connection.push_back(entry);
  }
  auto parsed =
      mqtt::Options::parse(section.is_map() ? base::ConfigNode(section.place(), std::move(connection)) : section);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  return Options{std::move(*parsed), read_manual_items(section)};
}

Mqtt::Mqtt(const domains::IntegrationHome& home, Options options)
    : home_(home),
      components_(std::move(options.components)),
      prefix_(prefix_of(options.connection)),
      client_(home, std::move(options.connection)) {}

Mqtt::~Mqtt() {
  stop();
}

base::Result<void> Mqtt::start() {
  if (auto started = client_.start(); !started) return started;
  home_.hub.mqtt = &client_;
  services_ = std::make_unique<Services>(home_, client_);
  return start_discovery(std::exchange(components_, {}));
}

base::Result<void> Mqtt::start_discovery(const ManualItems& components) {
  discovery_ = std::make_unique<Discovery>(home_, client_, prefix_);
  client_.set_discovery(discovery_.get());
  return discovery_->start(components);
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
  const std::string prefix = prefix_of(options.connection);
  if (auto changed = client_.change(std::move(options.connection)); !changed) return false;
  if (prefix == prefix_ && discovery_) {
    discovery_->apply(options.components);
    return true;
  }
  stop_discovery();
  home_.domains.entities().release(*home_.connection);
  discovery_.reset();
  prefix_ = prefix;
  return start_discovery(options.components).has_value();
}

}  // namespace hearth::integrations::mqtt
