// SPDX-License-Identifier: Apache-2.0
// The services notify.<name>, which send messages out of the home by servers, files and commands of the configuration,
// each with an entity of the same name; notify.notify is the first of them unless another thing has that name. Only
// those may call one who may control all of the home, or whose policy names it. Bus thread only, except where noted.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/log/repeated_log.h"
#include "building_blocks/notify/channels.h"
#include "building_blocks/notify/notifier.h"
#include "building_blocks/notify/notify_parser.h"
#include "domains/entities/entity_table.h"

namespace hearth::building_blocks {

class Notifiers {
 public:
  // All must outlive it. Files, and where commands run, are in `folder`.
  Notifiers(automation::Home& home, domains::EntityTable& entities, net::HttpClient& http,
            std::filesystem::path folder);
  ~Notifiers();
  Notifiers(const Notifiers&) = delete;
  Notifiers& operator=(const Notifiers&) = delete;

  // notify.reload. Once, while the bus does not run.
  void add_services(configured::Reload reload);
  // Puts the configuration in force. Messages that are not delivered yet go on; a broken notifier leaves the last good
  // one in force.
  void apply(const NotifyConfiguration& configuration);
  // Ends all; messages that are not delivered are lost.
  void stop();
  // Waits for the threads, after stop(). While the bus does not run.
  void join();

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return services_.faults(); }

 private:
  class Unit;

  std::unique_ptr<Unit> start(const std::shared_ptr<const NotifyPlan>& plan, std::vector<configured::Fault>& faults);
  core::Registration add_service(const std::string& service, const NotifyPlan& plan);
  void call(const std::string& name, const core::ServiceCall& call, const core::ServiceReply& reply);
  // notify.notify.
  void name_first(const NotifyConfiguration& configuration);
  void clear_left(bool complete) const;

  automation::Home& home_;
  domains::EntityTable& entities_;
  const std::filesystem::path folder_;
  base::RepeatedLog log_{kNotify};
  CommandRunner commands_;
  Background files_, mails_;
  const ChannelNeeds needs_;
  NamedServices<NotifyPlan, Unit> services_;
  std::list<std::unique_ptr<Notifier>> former_;  // of plans that are not in force, until they have delivered
  std::string first_;                            // that notify.notify stands for; empty if it does for none
  core::Registration first_service_;
};

}  // namespace hearth::building_blocks
