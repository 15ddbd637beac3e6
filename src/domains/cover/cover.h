// SPDX-License-Identifier: Apache-2.0
// A cover: a blind, shutter, awning or garage door. Positions run from 0, closed, to 100, open. Bus thread only.
#pragma once

#include "domains/domain_services.h"
#include "domains/entity.h"

namespace hearth::domains {

struct CoverCapabilities {
  bool position = true;  // knows and takes positions between closed and open
  bool stop = true;
  bool tilt = false;           // slats that open and close
  bool tilt_position = false;  // and take positions between
  bool tilt_stop = false;
};

struct CoverState {
  enum class Motion { still, opening, closing };
  Motion motion = Motion::still;
  std::optional<int> position = {};       // nothing: unknown; without CoverCapabilities::position 0 or 100
  std::optional<int> tilt_position = {};  // of covers with slats
};

class CoverDevice : public EntityDevice {
 public:
  virtual void open() = 0;
  virtual void close() = 0;
  // Each of these only with the capability.
  virtual void stop() {}
  virtual void set_position(int /*position*/) {}
  virtual void open_tilt() {}
  virtual void close_tilt() {}
  virtual void stop_tilt() {}
  virtual void set_tilt_position(int /*position*/) {}
};

class Cover final : public Entity {
 public:
  static constexpr std::string_view kDomain = "cover";

  Cover(EntityInfo info, CoverCapabilities capabilities, CoverDevice& device)
      : Entity(kDomain, std::move(info), &device), capabilities_(capabilities), device_(device) {}

  const CoverCapabilities& capabilities() const { return capabilities_; }
  const std::optional<CoverState>& state() const { return state_; }  // nothing: not reported yet
  // `cause`: the command answered, where the device can tell.
  void report(CoverState state, const core::Context* cause = nullptr);

  base::Result<void> supports(std::string_view service) const override;

  CoverDevice& device() { return device_; }

 protected:
  std::string value() const override;
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

 private:
  CoverCapabilities capabilities_;
  CoverDevice& device_;
  std::optional<CoverState> state_;
};

// open_cover, close_cover, stop_cover, toggle, set_cover_position, and the same for the tilt.
void add_cover_services(DomainServices& services);

}  // namespace hearth::domains
