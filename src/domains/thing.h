// SPDX-License-Identifier: Apache-2.0
// An entity of a domain that is a table: all that one can say of it stands in its Kind. Bus thread only.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "domains/entity.h"
#include "domains/kind.h"

namespace hearth::domains {

// What a device is told to do: the data is checked, each value of its field's type and within the entity's bounds.
struct Order {
  const Action* action;
  json::object data;
};

// A value, or nothing: from whatever a JSON value is made of.
class OptionalValue : public std::optional<json::value> {
 public:
  OptionalValue() = default;
  template <class T>
    requires(std::constructible_from<json::value, T &&> && !std::same_as<std::remove_cvref_t<T>, OptionalValue>)
  OptionalValue(T&& value) : std::optional<json::value>(json::value(std::forward<T>(value))) {}
};

// What a device says that it is doing. What is not named stays as it was.
struct Report {
  OptionalValue value = {};  // null is unknown, true and false are on and off
  json::object attributes = {};
};

// What one entity can do of all that its Kind names.
struct Abilities {
  core::Words features = {};
  unsigned feature_bits = 0;     // the same, for who has them as a number
  json::object attributes = {};  // those that are shown once, and the first values of others
  int decimals = -1;             // of a value that is reported as a number; negative: as many as it needs
};

class ThingDevice : public EntityDevice {
 public:
  // REQUIRES: the action is one of the Kind that the device has the features for, and neither toggles nor is done by
  // the hub.
  virtual void act(const Action& action, const json::object& data) = 0;
  // What only the device knows against it, after all checks by the Kind. Fails with invalid.
  virtual base::Result<void> check(const Action& /*action*/, const json::object& /*data*/) const { return {}; }
  // The answer to an action that only answers. Fails with invalid, or with unavailable if there is none now.
  virtual base::Result<json::object> answer(const Action& /*action*/, const json::object& /*data*/) {
    return base::fail(base::ErrorCode::unavailable, "The device does not answer.");
  }
};

class Thing final : public Entity {
 public:
  static constexpr base::Duration kPictureTokenLife = std::chrono::hours(1);  // and as long as the former one

  // Both must outlive it; a device is needed for what can be commanded.
  Thing(const Kind& kind, EntityInfo info, Abilities can = {}, ThingDevice* device = nullptr);
  ~Thing() override;

  const Kind& kind() const { return kind_; }
  // As reported last; unknown before. An attribute is null until then.
  std::string_view reported() const { return value_; }
  const json::value& attribute(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;  // an attribute; nothing if it is none
  // The first of the features that it does not have; null if it has all.
  const Feature* lacks(core::Words features) const;

  // What its Kind does not have, or not so, is logged once and not stored. `cause`: the command that is answered, if
  // the device can tell.
  void report(Report report, const core::Context* cause = nullptr);

  // The device's new picture. One that cannot be is logged once and not taken. REQUIRES: its Kind has pictures, and it
  // is in the home.
  void show(core::Picture picture);

  base::Result<void> supports(std::string_view service) const override;
  // What is to be done if the service is called with these data. Fails with invalid; the message names the entity.
  base::Result<Order> order(const Action& action, const json::object& data) const;
  // REQUIRES: the action does not answer.
  void obey(const Order& order);
  // REQUIRES: it does.
  base::Result<json::object> answer(const Order& order) const;

  base::Timestamp now() const { return hub().clock.now(); }
  std::string time_zone() const { return hub().config.load()->time_zone; }

 protected:
  std::string value() const override { return value_; }
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

 private:
  void renew_picture_token();
  // Stores it, or adds what is wrong with it to the text.
  void take_value(const json::value& value, std::string& wrong);
  void take_attribute(std::string_view name, const json::value& value, std::string& wrong);
  bool offers(std::string_view list, std::string_view option) const;
  base::Result<Order> order_by_table(const Action& action, const json::object& data) const;
  base::Result<void> check(const Action& action) const;
  base::Result<void> check_inputs(Order& order) const;
  base::Result<void> check_bounds(const Input& input, json::value& value) const;

  const Kind& kind_;
  ThingDevice* device_;
  unsigned features_;
  int decimals_;
  std::string value_{core::kUnknown};
  json::object attributes_;
  bool logged_wrong_ = false;
  core::Timer picture_token_;  // when it gets another one
};

// What an ideal device reports when it has done what it was told: for devices that report by themselves that they
// obeyed, and those that cannot tell.
Report outcome(const Kind& kind, const Action& action, const json::object& data);

// What was reported before the hub ended, from the last state: for devices that have no memory of their own. What the
// state does not tell, or what cannot be, is as in `first`.
Report restored(const Kind& kind, Report first, const core::State& last);

}  // namespace hearth::domains
