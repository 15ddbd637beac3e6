// SPDX-License-Identifier: Apache-2.0
// mqtt.publish and mqtt.dump. Bus thread only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/threads/task_thread.h"
#include "core/mqtt.h"
#include "domains/integration.h"
#include "integrations/mqtt/connection/client.h"

namespace hearth::integrations::mqtt {

class Services {
 public:
  // The largest size of one dump; later messages are left out, and the file says so.
  static constexpr std::size_t kMaxDumpBytes = 16 * 1024 * 1024;
  static constexpr std::string_view kDumpFile = "mqtt_dump.txt";
  static constexpr std::int64_t kLongestDump = 3'600;  // seconds

  // Both must outlive this.
  Services(const domains::IntegrationHome& home, Client& client);

 private:
  base::Result<void> publish(const core::ServiceCall& call);
  base::Result<void> dump(const core::ServiceCall& call);
  void note(const core::MqttMessage& message);
  void end_dump();

  domains::IntegrationHome home_;
  Client& client_;
  const std::filesystem::path dump_file_;
  // One dump at a time: another one replaces it.
  std::string dumped_;
  bool left_out_ = false;
  base::Handle dumping_;
  core::Timer dump_end_;
  base::TaskThread writer_{"mqtt-dump", "mqtt", {1}};
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::integrations::mqtt
