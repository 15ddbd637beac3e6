// SPDX-License-Identifier: Apache-2.0
// A message that a companion app sends to its webhook, opened and read. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::phones {

struct PhoneMessage {
  std::string type;
  json::value data = json::object();
  bool sealed = false;         // the answer is to be, too
  bool by_characters = false;  // see sealed_message.h
};

// `secret`: the phone's, or empty. Fails with invalid; with unauthorized if the message should be sealed and is not.
base::Result<PhoneMessage> read_phone_message(std::string_view body, std::string_view secret);

// The body of an answer, sealed if the message was.
std::string phone_answer(const PhoneMessage& message, std::string_view secret, const json::value& body);

}  // namespace hearth::phones
