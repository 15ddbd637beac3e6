// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "domains/restored.h"
#include "integrations/esphome/components/climate_modes.h"
#include "integrations/esphome/components/components.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kClimateCommand = 48;

class ClimateEntity final : public NodeEntity, public domains::ClimateDevice {
 public:
  using List = proto::ListClimate;
  using State = proto::ClimateState;

  ClimateEntity(NodeContext& node, const Component& component, CommonFields common, List list)
      : NodeEntity(node, component, std::move(common)), list_(std::move(list)) {}

  static const Component* component_of() { return &kClimateComponent; }

  void show(const State& state) {
    auto made = climate_state(list_, state);
    if (!made) return complain("it is in a mode that the hub does not know");
    climate_->report(std::move(*made));
  }

  void set(const domains::ClimateCommand& command) override {
    proto::ClimateCommand out = climate_command(list_, command);
    send(kClimateCommand, out);
  }

 protected:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) override {
    auto made = std::make_unique<domains::Climate>(std::move(info), climate_capabilities(list_), *this);
    climate_ = made.get();
    if (last && last->value() != core::kUnknown) climate_->report(domains::restored(domains::ClimateState(), *last));
    return made;
  }

 private:
  const List list_;
  domains::Climate* climate_ = nullptr;
};

}  // namespace

const Component kClimateComponent{
    "climate", "climate", 46, 47, make_entity<ClimateEntity>, receive_state<ClimateEntity>};

}  // namespace hearth::integrations::esphome
