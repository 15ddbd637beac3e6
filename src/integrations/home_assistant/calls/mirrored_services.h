// SPDX-License-Identifier: Apache-2.0
// Services of the hubs there that do not exist here, as services of this hub. One object for all instances; of two that
// offer the same service the first one's stands. Bus thread only.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/hub.h"
#include "domains/entities/integration_bus.h"
#include "integrations/home_assistant/session/news.h"

namespace hearth::integrations::home_assistant {

class MirroredServices {
 public:
  static constexpr std::size_t kMaxServices = 2'000;          // of an instance
  static constexpr std::size_t kMaxDescription = 64 * 1'024;  // bytes, of a service

  // A service that is not there again so long after the other hub has started is gone.
  static constexpr base::Duration kGoneAfter = std::chrono::seconds(30);

  // Calls a service without a target at the instance.
  using Call = std::function<void(const core::ServiceCall& call, core::ServiceReply reply)>;

  // One hub there, in the order of their making. Its services go with it.
  class Instance {
   public:
    // `bus` is that of the instance.
    Instance(MirroredServices& all, domains::IntegrationBus& bus, std::string name, Call call);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    // All services there. One that was known and is missing now goes if that hub runs, otherwise kGoneAfter after it
    // does.
    void take(const std::vector<OtherService>& services);
    void running();
    void lost();
    std::size_t offered() const { return descriptions_.size(); }

   private:
    friend class MirroredServices;
    using Key = std::pair<std::string, std::string>;  // domain, service

    void settle_soon();

    MirroredServices& all_;
    domains::IntegrationBus& bus_;
    const std::string name_;
    const Call call_;
    std::map<Key, json::object> descriptions_;
    std::set<Key> present_;  // in the last list
    bool runs_ = false, settled_ = false;
    core::Timer gone_;
    bool settles_ = false;
    core::Timer soon_;
    core::Subscription removed_, added_;
  };

  // The hub must outlive it, and it the instances.
  explicit MirroredServices(core::Hub& hub) : hub_(hub) {}

  // How many of an instance's are registered here.
  std::size_t registered(std::string_view instance) const;

 private:
  struct Registered {
    std::string instance;
    std::vector<std::string> others;  // names of the instances that offer it, too
    json::object described;
    core::Registration registration;
  };
  void settle();  // registers what is missing, takes away what is offered no more
  void add(const Instance::Key& key, const Instance& instance, std::vector<std::string> others);

  core::Hub& hub_;
  std::list<Instance*> instances_;
  std::map<Instance::Key, Registered> registered_;
};

// As the service is registered here.
core::ServiceDescription description_here(const std::string& domain, const std::string& service,
                                          const json::object& described, const std::string& instance,
                                          const std::vector<std::string>& others);

}  // namespace hearth::integrations::home_assistant
