// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/commanded.h"

#include <utility>

namespace hearth::integrations::modbus {

void Commanded::watch(domains::Entity& entity, Poller& poller, std::chrono::milliseconds interval) {
  entity_ = &entity;
  if (!status_) return;
  poller.add({.unit = status_->unit,
              .table = status_->table,
              .address = status_->address,
              .count = 1,
              .interval = interval,
              .got = [this](std::span<const std::uint16_t> values, const RequestFailure* failure) {
                if (failure)
                  failed(*failure);
                else
                  got(values.front());
              }});
}

void Commanded::write(Request request, Channel::Done done) {
  ++commands_;
  channel_.command(std::move(request),
                   [this, done = std::move(done), owed = entity_->answer_later()](const Answer& answer) {
                     --commands_;
                     done(answer);
                     tell_call(owed, answer);
                   });
}

bool Commanded::read() {
  if (!status_) return false;
  channel_.command({.unit = status_->unit, .table = status_->table, .address = status_->address},
                   [this](const Answer& answer) {
                     if (answer)
                       got(answer->front());
                     else
                       failed(answer.error());
                   });
  return true;
}

void Commanded::not_understood(std::string message) {
  trouble_.say(entity_->entity_id(), {.kind = RequestFailure::Kind::broken, .message = std::move(message)});
}

void Commanded::got(std::uint16_t value) {
  if (commands_ > 0) return;
  show_(value);
  if (!entity_->available()) entity_->set_available(true);
}

void Commanded::failed(const RequestFailure& failure) {
  using enum RequestFailure::Kind;
  if (commands_ > 0 || failure.kind == no_link || failure.kind == not_now) return;
  trouble_.say(entity_->entity_id(), failure);
  if (entity_->available()) entity_->set_available(false);
}

}  // namespace hearth::integrations::modbus
