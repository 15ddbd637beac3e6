// SPDX-License-Identifier: Apache-2.0
#include "app/connections/flow_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/connections/flows.h"

namespace hearth::app {
namespace {

using domains::FormField;

std::string_view type_text(FormField::Type type) {
  switch (type) {
    case FormField::Type::string:
      return "string";
    case FormField::Type::integer:
      return "integer";
    case FormField::Type::boolean:
      return "boolean";
    case FormField::Type::select:
      return "select";
  }
  return "string";
}

json::object field_json(const FormField& field) {
  json::object object{{"name", field.name}, {"type", type_text(field.type)}, {"required", field.required}};
  if (!field.otherwise.is_null()) object["default"] = field.otherwise;
  if (field.type == FormField::Type::select)
    object["options"] = json::array(field.options.begin(), field.options.end());
  if (field.secret) object["secret"] = true;
  return object;
}

std::unexpected<base::Error> expected(const FormField& field, std::string_view what) {
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}", field.name, what));
}

base::Result<void> check(const FormField& field, const json::value& value) {
  switch (field.type) {
    case FormField::Type::string:
      if (!value.is_string()) return expected(field, "a text");
      if (value.get_string().size() > Flows::kMaxText)
        return expected(field, fmt::format("at most {} bytes", Flows::kMaxText));
      if (field.required && value.get_string().empty()) return expected(field, "a text that is not empty");
      return {};
    case FormField::Type::integer:
      if (!value.is_int64()) return expected(field, "a whole number");
      return {};
    case FormField::Type::boolean:
      if (!value.is_bool()) return expected(field, "true or false");
      return {};
    case FormField::Type::select:
      if (!value.is_string() ||
          std::ranges::find(field.options, std::string_view(value.get_string())) == field.options.end())
        return expected(field, fmt::format("one of {}", fmt::join(field.options, ", ")));
      return {};
  }
  return {};
}

}  // namespace

json::object form_json(std::string_view flow_id, std::string_view handler, const domains::FlowForm& form) {
  json::array fields;
  for (const FormField& field : form.fields) fields.push_back(field_json(field));
  json::object errors, placeholders;
  for (const auto& [name, error] : form.errors) errors[name] = core::to_string(error);
  for (const auto& [name, text] : form.placeholders) placeholders[name] = text;
  return {{"type", "form"},
          {"flow_id", flow_id},
          {"handler", handler},
          {"step_id", form.step_id},
          {"data_schema", std::move(fields)},
          {"errors", std::move(errors)},
          {"description_placeholders", std::move(placeholders)},
          {"last_step", form.last_step ? json::value(*form.last_step) : json::value()}};
}

json::object abort_json(std::string_view flow_id, std::string_view handler, std::string_view reason) {
  return {{"type", "abort"}, {"flow_id", flow_id}, {"handler", handler}, {"reason", reason}};
}

base::Result<json::object> answers_to(const domains::FlowForm& form, json::object given) {
  for (const auto& [name, value] : given) {
    if (std::ranges::find(form.fields, std::string_view(name), &FormField::name) == form.fields.end())
      return base::fail(base::ErrorCode::invalid, fmt::format("{}: there is no such field", std::string_view(name)));
  }
  for (const FormField& field : form.fields) {
    const json::value* const value = given.if_contains(field.name);
    if (value && !value->is_null()) {
      if (auto good = check(field, *value); !good) return std::unexpected(std::move(good.error()));
    } else if (!field.otherwise.is_null()) {
      given[field.name] = field.otherwise;
    } else if (field.required) {
      return expected(field, "a value");
    } else {
      given.erase(field.name);
    }
  }
  return given;
}

}  // namespace hearth::app
