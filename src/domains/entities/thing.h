// SPDX-License-Identifier: Apache-2.0
// An entity of a domain that is only a table: its Kind describes everything. Bus thread only.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "domains/entities/entity.h"
#include "domains/entities/kind.h"

namespace hearth::domains {

// A command for a device, with checked data: each value has its field's type and is within the entity's bounds.
struct Order {
  const Action* action;
  json::object data;
  const Action* asked = nullptr;  // what the call named, if the domain's rules have made another action of it
};

// A JSON value or null, constructible from anything a JSON value is.
class OptionalValue : public std::optional<json::value> {
 public:
  OptionalValue() = default;
  template <class T>
    requires(std::constructible_from<json::value, T &&> && !std::same_as<std::remove_cvref_t<T>, OptionalValue>)
  OptionalValue(T&& value) : std::optional<json::value>(json::value(std::forward<T>(value))) {}
};

// A device's report. Absent attributes stay unchanged.
struct Report {
  OptionalValue value = {};  // null is unknown, true and false are on and off
  json::object attributes = {};
};

// The features and fixed attributes of one entity.
struct Abilities {
  core::Words features = {};
  unsigned feature_bits = 0;     // the same as bits
  json::object attributes = {};  // those set once, and initial values of others
  int decimals = -1;             // of a numeric value; negative: as many as needed
};

class ThingDevice : public EntityDevice {
 public:
  // REQUIRES: an action of the Kind whose features the device has, and that neither toggles nor is done by the hub.
  // The device may withdraw its entity meanwhile, but must not destroy it.
  virtual void act(const Action& action, const json::object& data) = 0;
  // The same, for devices that want to know what the call named.
  virtual void obey(const Order& order) { act(*order.action, order.data); }
  // Reasons against it that only the device knows, after all checks by the Kind. Fails with invalid.
  virtual base::Result<void> check(const Action& /*action*/, const json::object& /*data*/) const { return {}; }
  // The answer to an action that only answers. Fails with invalid, or with unavailable if there is none now.
  virtual base::Result<json::object> answer(const Action& /*action*/, const json::object& /*data*/) {
    return base::fail(base::ErrorCode::unavailable, "The device does not answer.");
  }
};

class Thing final : public Entity {
 public:
  static constexpr base::Duration kPictureTokenLife = std::chrono::hours(1);  // and as long as the former one

  // Both must outlive this; an entity with commands needs a device.
  Thing(const Kind& kind, EntityInfo info, Abilities can = {}, ThingDevice* device = nullptr);
  ~Thing() override;

  const Kind& kind() const { return kind_; }
  // The last report's value; unknown before. An attribute is null until then.
  std::string_view reported() const { return value_; }
  const json::value& attribute(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;  // an attribute; null if it is not a number
  // The first missing feature; null if it has all.
  const Feature* lacks(core::Words features) const;

  // Attributes or values that its Kind does not allow are logged once and not stored. `cause`: the command that this
  // answers, if the device knows.
  void report(Report report, const core::Context* cause = nullptr);

  // Its abilities from now on; part of the next write.
  void set_features(unsigned bits) { features_ = bits; }

  // The device's new picture. One that cannot be is logged once and not taken. REQUIRES: its Kind has pictures, and it
  // is in the home.
  void show(core::Picture picture);

  base::Result<void> can(std::string_view service, const json::object& data) const override;
  // The command for a service call with these data, without the fields that the entity cannot honour. Fails with
  // invalid, or with unsupported if it lacks a feature; the message names the entity.
  base::Result<Order> order(const Action& action, const json::object& data) const;
  // REQUIRES: the action does not answer.
  void obey(const Order& order);
  // REQUIRES: the action answers.
  base::Result<json::object> answer(const Order& order) const;

  base::Timestamp now() const { return hub().clock.now(); }
  std::string time_zone() const { return hub().config.load()->time_zone; }

 protected:
  std::string value() const override { return value_; }
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

 private:
  void renew_picture_token();
  // Stores it, or appends its error to the text.
  void take_value(const json::value& value, std::string& wrong);
  void take_attribute(std::string_view name, const json::value& value, std::string& wrong);
  bool offers(std::string_view list, std::string_view option) const;
  base::Result<Order> order_by_table(const Action& action, const json::object& data) const;
  base::Result<void> check(const Action& action) const;
  base::Result<void> check_inputs(Order& order) const;
  void leave_out_inputs(Order& order) const;
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

// The report of an ideal device after the command: for devices that report success by themselves, and those that
// cannot report.
Report outcome(const Kind& kind, const Action& action, const json::object& data);

// Converts the last state back into a report, for devices without a memory of their own. Missing or impossible
// attributes are as in `first`.
Report restored(const Kind& kind, Report first, const core::State& last);

}  // namespace hearth::domains
