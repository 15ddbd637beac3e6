// SPDX-License-Identifier: Apache-2.0
#include "domains/cover/cover.h"

namespace hearth::domains {
namespace {

using Command = std::function<void(Cover&)>;
using PositionCommand = void (CoverDevice::*)(int position);

// A cover on its way stops where it can, else turns back; a closed one opens, any other closes.
void toggle(Cover& cover) {
  const CoverState state = cover.state().value_or(CoverState{});
  if (state.motion != CoverState::Motion::still && cover.capabilities().stop) return cover.device().stop();
  const bool open =
      state.motion == CoverState::Motion::still ? state.position == 0 : state.motion == CoverState::Motion::closing;
  open ? cover.device().open() : cover.device().close();
}

void toggle_tilt(Cover& cover) {
  const bool closed = cover.state() && cover.state()->tilt_position == 0;
  closed ? cover.device().open_tilt() : cover.device().close_tilt();
}

void add(DomainServices& services, std::string service, std::string name, std::string description, Command command) {
  services.add<Cover>(
      {service, std::move(name), std::move(description)},
      [service, command = std::move(command)](Cover& cover, const json::object&) -> DomainServices::Prepared {
        if (auto able = cover.supports(service); !able) return std::unexpected(able.error());
        return [&cover, command] { command(cover); };
      });
}

void add(DomainServices& services, DomainService service, PositionCommand command) {
  const std::string name = service.service, key = service.fields.front().name;
  services.add<Cover>(std::move(service),
                      [name, key, command](Cover& cover, const json::object& data) -> DomainServices::Prepared {
                        if (auto able = cover.supports(name); !able) return std::unexpected(able.error());
                        const int position = static_cast<int>(data.at(key).get_int64());
                        return [&cover, command, position] { (cover.device().*command)(position); };
                      });
}

}  // namespace

void add_cover_services(DomainServices& services) {
  add(services, "open_cover", "Open", "Opens covers.", [](Cover& cover) { cover.device().open(); });
  add(services, "close_cover", "Close", "Closes covers.", [](Cover& cover) { cover.device().close(); });
  add(services, "stop_cover", "Stop", "Stops covers on their way.", [](Cover& cover) { cover.device().stop(); });
  add(services, "toggle", "Toggle", "Opens covers that are closed, closes open ones, stops moving ones.", toggle);
  add(services,
      {"set_cover_position",
       "Set position",
       "Moves covers to a position.",
       {{"position", "Where to, from 0, closed, to 100, open.", 70, core::field::Integer{0, 100}, true}}},
      &CoverDevice::set_position);
  add(services, "open_cover_tilt", "Open tilt", "Tilts slats open.", [](Cover& cover) { cover.device().open_tilt(); });
  add(services, "close_cover_tilt", "Close tilt", "Tilts slats closed.",
      [](Cover& cover) { cover.device().close_tilt(); });
  add(services, "stop_cover_tilt", "Stop tilt", "Stops slats on their way.",
      [](Cover& cover) { cover.device().stop_tilt(); });
  add(services, "toggle_cover_tilt", "Toggle tilt", "Tilts closed slats open, and others closed.", toggle_tilt);
  add(services,
      {"set_cover_tilt_position",
       "Set tilt position",
       "Tilts slats to a position.",
       {{"tilt_position", "Where to, from 0, closed, to 100, open.", 50, core::field::Integer{0, 100}, true}}},
      &CoverDevice::set_tilt_position);
}

}  // namespace hearth::domains
