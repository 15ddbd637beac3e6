// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/entities/thing_entity.h"

namespace hearth::integrations::esphome {
namespace {

constexpr std::uint32_t kMaxPicture = 4 * 1024 * 1024;  // bytes
constexpr base::Duration kNextPicture = std::chrono::seconds(60);

struct Camera {
  using List = proto::ListCamera;
  using State = proto::CameraImage;

  static const domains::Kind& kind() { return domains::kCamera; }
  static const Component& component() { return kCameraComponent; }
  static domains::Abilities abilities(const List&) { return {}; }
  static domains::Report report(const List&, const State&) { return {.value = "idle"}; }
};

// A picture comes in parts, when it is asked for: at the start, once a minute, and by update_entity.
class CameraEntity final : public ThingOf<Camera> {
 public:
  using ThingOf::ThingOf;

  void node_is_ready() override {
    picture_.clear();
    ask();
  }
  void set_available(bool available) override {
    if (!available) next_ = {};
    NodeEntity::set_available(available);
  }
  bool refresh() override {
    ask();
    return true;
  }
  void show(const proto::CameraImage& part) {
    if (picture_.size() + part.data().size() > kMaxPicture) {
      picture_.clear();
      too_large_ = true;
      complain("a picture has more than 4 MiB");
    }
    if (!too_large_) picture_ += part.data();
    if (!part.done()) return;
    if (!std::exchange(too_large_, false)) thing().show({.content_type = "image/jpeg", .bytes = std::move(picture_)});
    picture_ = {};
    ThingOf::show(part);
  }

 private:
  void ask() {
    proto::CameraRequest request;
    request.set_single(true);
    send(message::camera_request, request);
    next_ = node().bus.schedule(kNextPicture, [this] { ask(); });
  }

  std::string picture_;
  bool too_large_ = false;
  core::Timer next_;
};

}  // namespace

const Component kCameraComponent{"camera",
                                 "camera",
                                 message::list_camera,
                                 message::camera_image,
                                 make_entity<CameraEntity>,
                                 receive_state<CameraEntity>};

}  // namespace hearth::integrations::esphome
