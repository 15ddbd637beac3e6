// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "domains/restored.h"
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/components/light_colors.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kLightCommand = 32;

class LightEntity final : public NodeEntity, public domains::LightDevice {
 public:
  using List = proto::ListLight;
  using State = proto::LightState;

  LightEntity(NodeContext& node, const Component& component, CommonFields common, List list)
      : NodeEntity(node, component, std::move(common)), list_(std::move(list)) {}

  static const Component* component_of() { return &kLightComponent; }

  void show(const State& state) {
    const auto made = light_state(list_, state);
    if (!made) return complain("it has a colour mode that the hub does not know");
    mode_ = state.color_mode();
    light_->report(*made);
  }

  void turn_on(const domains::LightCommand& command) override {
    proto::LightCommand out = light_command(list_, mode_, command);
    send(kLightCommand, out);
  }
  void turn_off(const domains::LightOffCommand& command) override {
    proto::LightCommand out = light_off_command(command);
    send(kLightCommand, out);
  }

 protected:
  std::unique_ptr<domains::Entity> make(domains::EntityInfo info, const core::State* last) override {
    auto made = std::make_unique<domains::Light>(std::move(info), light_capabilities(list_), *this);
    light_ = made.get();
    if (last && (last->value() == "on" || last->value() == "off"))
      light_->report(domains::restored(domains::LightState(), *last));
    return made;
  }

 private:
  const List list_;
  std::uint32_t mode_ = 0;  // as the node said last
  domains::Light* light_ = nullptr;
};

}  // namespace

const Component kLightComponent{"light", "light", 15, 24, make_entity<LightEntity>, receive_state<LightEntity>};

}  // namespace hearth::integrations::esphome
