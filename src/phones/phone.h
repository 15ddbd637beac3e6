// SPDX-License-Identifier: Apache-2.0
// A phone whose companion app has registered, as it is kept. Immutable; any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::phones {

// A sensor of a phone, as the app describes it, with checked fields.
struct PhoneSensor {
  std::string unique_id;      // the app's own
  std::string registered_as;  // the unique id in the registry
  json::object fields;        // type, name and so on, without the state

  bool operator==(const PhoneSensor&) const = default;
};

struct Phone {
  static constexpr std::size_t kMaxSensors = 200;
  static constexpr std::size_t kMaxText = 255;           // bytes of each text
  static constexpr std::size_t kMaxAppData = 16'384;     // bytes of the JSON of what the app wants to be kept
  static constexpr std::size_t kMaxAttributes = 16'384;  // bytes of the JSON of a sensor's attributes

  std::string webhook_id;  // 64 hexadecimal digits; a secret
  std::string user_id, token_id;
  std::string secret = {};         // 64 hexadecimal digits, the key of its messages; empty: they are not encrypted
  std::string key = {};            // what the registry knows it by
  json::object registration = {};  // device_id, app_id, … app_data
  std::map<std::string, PhoneSensor, std::less<>> sensors = {};  // by the app's unique id

  std::string text(std::string_view field) const;  // of the registration; empty if it is missing
  std::string name() const { return text("device_name"); }
};
using PhonePtr = std::shared_ptr<const Phone>;

// Checks what an app sends. Unknown fields are dropped. `changes`: only some fields are there. Fails with invalid.
base::Result<json::object> read_registration(const json::object& sent, bool changes);
base::Result<PhoneSensor> read_sensor(const json::object& sent);

// As it is stored.
json::object to_json_object(const Phone& phone);
base::Result<Phone> read_phone(std::string_view stored);

// 64 random hexadecimal digits.
std::string make_phone_secret();

}  // namespace hearth::phones
