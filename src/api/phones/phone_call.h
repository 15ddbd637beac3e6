// SPDX-License-Identifier: Apache-2.0
// A message of a companion app, and those that answer it. Worker threads; copies answer on any.
#pragma once

#include <memory>

#include "api/call.h"
#include "auth/identity.h"
#include "core/view.h"
#include "http/messages/handler.h"
#include "phones/phone.h"
#include "phones/phone_message.h"

namespace hearth::api {

struct PhoneCall {
  core::View home;  // as the owner may see and change it
  auth::Gate& gate;
  const Parts& parts;
  phones::PhonePtr phone;
  auth::IdentityPtr owner;
  phones::PhoneMessage message;
  std::shared_ptr<http::Responder> responder;

  const json::object& data() const { return message.data.get_object(); }
  // Once, one of these.
  void answer(const json::value& body, int status = 200) const;
  void fail(const base::Error& error) const;
  // A fresh context with the owner as its user.
  core::Context context() const;
};

// The data of the message are an object.
void phone_config(const PhoneCall& call);
void phone_zones(const PhoneCall& call);
void phone_event(const PhoneCall& call);
void phone_service(const PhoneCall& call);
void phone_templates(const PhoneCall& call);
void phone_camera(const PhoneCall& call);
void phone_tag(const PhoneCall& call);
void phone_conversation(const PhoneCall& call);

}  // namespace hearth::api
