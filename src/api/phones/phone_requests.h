// SPDX-License-Identifier: Apache-2.0
// Answers what companion apps send to their webhooks, with the rights of who registered the app. Worker threads.
#pragma once

#include "api/call.h"
#include "http/messages/handler.h"
#include "phones/phone.h"

namespace hearth::api {

// `owner`: who may do what, by the token that the app has registered with.
void answer_phone(const Call& call, http::Responder responder, phones::PhonePtr phone, auth::IdentityPtr owner);

}  // namespace hearth::api
