// SPDX-License-Identifier: Apache-2.0
// Any body of a webhook, of a phone with and without a key, and the same text sealed with the key: what is read has a
// type, and the answer can be opened.
#include "base/testing/fuzz_check.h"
#include "phones/phone.h"
#include "phones/phone_message.h"
#include "phones/sealed_message.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace base = hearth::base;
  namespace json = hearth::json;
  using namespace hearth::phones;
  const std::string_view text = base::fuzz_text(data, size);
  const std::string secret(64, 'a');
  const auto plain = read_phone_message(text, "");
  if (plain) base::must(!plain->sealed && !plain->type.empty(), "a plain message has a type");
  if (const auto parsed = base::parse_json(text); parsed && parsed->is_object()) {
    static_cast<void>(read_registration(parsed->get_object(), false));
    if (const auto sensor = read_sensor(parsed->get_object()))
      base::must(!sensor->unique_id.empty(), "a sensor has an id");
  }
  for (const bool by_characters : {false, true}) {
    const std::string sealed = seal_message(secret, text, by_characters);
    const auto opened = open_message(secret, sealed);
    base::must(opened && opened->text == text, "what is sealed can be opened");
    const json::object body{{"type", "encrypted"}, {"encrypted_data", sealed}};
    const auto message = read_phone_message(base::to_json(body), secret);
    if (!message) continue;
    base::must(message->sealed && !message->type.empty(), "a sealed message has a type");
    base::must(open_message(secret, seal_message(secret, "{}", message->by_characters)).has_value(), "the answer");
  }
  return 0;
}
