// SPDX-License-Identifier: Apache-2.0
// hearth/energy: what the home used, made and paid, computed from statistics and prices on the thread of history.
#include "api/energy/energy_question.h"
#include "api/energy/preferences.h"
#include "api/gateway/piece_reply.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_filter.h"
#include "energy/cost_sensors.h"

namespace hearth::api {
namespace {

constexpr std::size_t kMostMeters = 500;

// Fails with not_found, invalid_format.
void report_energy(const CommandCall& call, CommandReply reply) {
  EnergySpanFields fields;
  MessageReader in(call.message);
  fields.read(in);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto span = fields.span(call.home.clock().now(), call.home.config()->time_zone);
  if (!span) return reply.send(std::unexpected(span.error()));
  const auto registry = call.home.registry();
  const core::Item* const item = find_energy_preferences(call.home, registry);
  if (!item) return reply.send(std::unexpected(CommandError(command_error::kNotFound, "No preferences are set.")));
  energy::Meters meters = energy::meters_of(item->fields);
  if (meters.meters.size() + meters.devices.size() > kMostMeters) {
    return reply.send(std::unexpected(
        CommandError(command_error::kInvalidFormat, "At most 500 meters and devices can be reckoned with.")));
  }
  const auto question = std::make_shared<EnergyQuestion>(call.home, std::move(meters), *span, call.parts.imported,
                                                         call.parts.costs ? call.parts.costs->entities_now() : nullptr);
  reply_with_pieces(call, std::move(reply), question->weight(),
                    [question](recorder::HistoryReader& reader, std::string& out, std::size_t) {
                      return question->produce(reader, out);
                    });
}

}  // namespace

constexpr Command kEnergyReportCommandRows[] = {
    {"hearth/energy", Access::history, report_energy, Durable::no},
};
constexpr Commands kEnergyReportCommands = kEnergyReportCommandRows;

}  // namespace hearth::api
