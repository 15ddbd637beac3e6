// SPDX-License-Identifier: Apache-2.0
// An entity of a node whose domain is a table. Bus thread only.
#pragma once

#include <memory>
#include <optional>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "integrations/esphome/entities/component.h"
#include "integrations/esphome/entities/values.h"

namespace hearth::integrations::esphome {

class ThingEntity : public NodeEntity, public domains::ThingDevice {
 public:
  ThingEntity(NodeContext& node, const Component& component, CommonFields common, const domains::Kind& kind)
      : NodeEntity(node, component, std::move(common)), kind_(kind) {}

  domains::Thing& thing() const { return *thing_; }  // REQUIRES: it is in the home

  void obey(const domains::Order& order) override;
  void act(const domains::Action& action, const json::object& data) override { perform(action, data); }

 protected:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) override;
  virtual domains::Abilities abilities() const = 0;
  // Sends the command. Throws if it cannot.
  virtual void perform(const domains::Action& action, const json::object& data) = 0;
  // True if the node does not tell its state, or not for certain.
  virtual bool assumed() const { return false; }

  // Passes the report on, unless it changes nothing and no command waits for it.
  void report(domains::Report report);

 private:
  bool changes(const domains::Report& report) const;

  const domains::Kind& kind_;
  domains::Thing* thing_ = nullptr;
  bool answers_any_ = false;  // the next report answers a command even if it changes nothing
};

// A component by its traits:
//   using List, State: its messages; State is void if it has none
//   static const domains::Kind& kind();
//   static const Component& component();
//   static domains::Abilities abilities(const List&);
//   static domains::Report report(const List&, const State&);
// and if it has them
//   static void perform(NodeEntity&, const List&, const domains::Action&, const json::object& data);
//   static bool assumed(const List&);
//   static void describe(const List&, domains::EntityInfo&);
template <class Traits>
class ThingOf : public ThingEntity {
 public:
  using List = typename Traits::List;
  using State = typename Traits::State;

  ThingOf(NodeContext& node, const Component& component, CommonFields common, List list)
      : ThingEntity(node, component, std::move(common), Traits::kind()), list_(std::move(list)) {}

  static const Component* component_of() { return &Traits::component(); }

  template <class Message>
  void show(const Message& state) {
    report(Traits::report(list_, state));
  }

 protected:
  domains::Abilities abilities() const override { return Traits::abilities(list_); }
  void perform(const domains::Action& action, const json::object& data) override {
    if constexpr (requires { Traits::perform(*this, list_, action, data); })
      Traits::perform(*this, list_, action, data);
  }
  bool assumed() const override {
    if constexpr (requires { Traits::assumed(list_); })
      return Traits::assumed(list_);
    else
      return false;
  }
  void describe(domains::EntityInfo& info) const override {
    if constexpr (requires { Traits::describe(list_, info); }) Traits::describe(list_, info);
  }
  const List& list() const { return list_; }

 private:
  const List list_;
};

}  // namespace hearth::integrations::esphome
