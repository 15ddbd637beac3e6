// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kUpdateCommand = 118;
constexpr std::uint32_t kInstallUpdate = 1, kLookForUpdate = 2;

json::value text_or_null(std::string_view text, std::size_t max = kMaxText) {
  return text.empty() ? json::value() : json::value(clean_text(text, max));
}

struct Update {
  using List = proto::ListUpdate;
  using State = proto::UpdateState;

  static const domains::Kind& kind() { return domains::kUpdate; }
  static const Component& component() { return kUpdateComponent; }
  static domains::Abilities abilities(const List&) { return {.features = "install progress"}; }
  static domains::Report report(const List&, const State& state) {
    const bool known = !state.missing_state();
    json::object attributes{{"installed_version", known ? text_or_null(state.current_version()) : json::value()},
                            {"latest_version", known ? text_or_null(state.latest_version()) : json::value()},
                            {"in_progress", known && state.in_progress()},
                            {"title", text_or_null(state.title())},
                            {"release_summary", text_or_null(state.release_summary(), kMaxLongText)},
                            {"release_url", text_or_null(state.release_url())},
                            {"update_percentage", nullptr}};
    const auto progress = decimal_of(state.progress());
    if (state.in_progress() && state.has_progress() && progress)
      attributes["update_percentage"] = std::clamp(*progress, 0.0, 100.0);
    return {.attributes = std::move(attributes)};
  }
  static void perform(NodeEntity& entity, const List&, const domains::Action&, const json::object&) {
    proto::UpdateCommand command;
    command.set_command(kInstallUpdate);
    entity.send(kUpdateCommand, command);
  }
};

class UpdateEntity final : public ThingOf<Update> {
 public:
  using ThingOf::ThingOf;

  // The node looks for a newer version.
  bool refresh() override {
    proto::UpdateCommand command;
    command.set_command(kLookForUpdate);
    send(kUpdateCommand, command);
    return true;
  }
};

}  // namespace

const Component kUpdateComponent{"update", "update", 116, 117, make_entity<UpdateEntity>, receive_state<UpdateEntity>};

}  // namespace hearth::integrations::esphome
