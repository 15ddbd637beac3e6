// SPDX-License-Identifier: Apache-2.0
#include "phones/phone_message.h"

#include "base/json/json_fields.h"
#include "phones/sealed_message.h"

namespace hearth::phones {

using base::ErrorCode;
using base::Result;

Result<PhoneMessage> read_phone_message(std::string_view body, std::string_view secret) {
  auto parsed = base::parse_json(body);
  if (!parsed || !parsed->is_object()) return base::fail(ErrorCode::invalid, "Expected a JSON object.");
  const json::object& outer = parsed->get_object();
  PhoneMessage message{.type = base::short_text_at(outer, "type")};
  if (message.type.empty()) return base::fail(ErrorCode::invalid, "type: expected a text");
  const json::value& sealed = base::value_at(outer, "encrypted_data");
  if (sealed.is_null()) {
    if (!secret.empty()) return base::fail(ErrorCode::unauthorized, "This app's messages have to be encrypted.");
    if (const json::value& data = base::value_at(outer, "data"); !data.is_null()) message.data = data;
    return message;
  }
  if (!sealed.is_string()) return base::fail(ErrorCode::invalid, "encrypted_data: expected a text");
  auto opened = secret.empty() ? std::nullopt : open_message(secret, sealed.get_string());
  if (!opened) return base::fail(ErrorCode::invalid, "encrypted_data: cannot be decrypted");
  message.sealed = true;
  message.by_characters = opened->by_characters;
  auto inner = base::parse_json(opened->text);
  if (!inner) return base::fail(ErrorCode::invalid, "encrypted_data: expected JSON in it");
  if (message.type != "encrypted") {
    if (!inner->is_null()) message.data = std::move(*inner);
    return message;
  }
  if (!inner->is_object()) return base::fail(ErrorCode::invalid, "encrypted_data: expected a JSON object in it");
  message.type = base::short_text_at(inner->get_object(), "type");
  if (message.type.empty() || message.type == "encrypted")
    return base::fail(ErrorCode::invalid, "encrypted_data: expected a type in it");
  if (const json::value& data = base::value_at(inner->get_object(), "data"); !data.is_null()) message.data = data;
  return message;
}

std::string phone_answer(const PhoneMessage& message, std::string_view secret, const json::value& body) {
  std::string text = base::to_json(body);
  if (!message.sealed) return text;
  return base::to_json(
      json::object{{"encrypted", true}, {"encrypted_data", seal_message(secret, text, message.by_characters)}});
}

}  // namespace hearth::phones
