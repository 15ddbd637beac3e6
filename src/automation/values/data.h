// SPDX-License-Identifier: Apache-2.0
// A value of a configuration that may contain templates, compiled once. Immutable; cheap to copy; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "automation/values/renderer.h"
#include "base/config/config_node.h"
#include "base/json/json.h"
#include "base/result.h"
#include "template/language/template.h"

namespace hearth::automation {

// The meaning of an unquoted text in YAML 1.1, except that 10:00:00 and dates are texts.
json::value plain_value(std::string_view text);
// The meaning of the text of a template that is no single expression: a number, true, false, null, a list or an object
// if it looks like one, otherwise itself.
templates::Value native_value(templates::Value value);
// An undefined value is what it prints: an empty text.
templates::Value defined_value(templates::Value value);
// As JSON; what JSON does not have, such as a time, becomes its text.
json::value json_of(const templates::Value& value);

class Data {
 public:
  Data() = default;  // null
  // Fails with invalid if a template does not compile.
  static base::Result<Data> parse(const base::ConfigNode& node);
  static Data constant(json::value value);
  static Data map(std::vector<std::pair<std::string, Data>> entries);

  bool is_constant() const { return std::holds_alternative<json::value>(*content_); }
  const json::value& constant() const { return std::get<json::value>(*content_); }  // REQUIRES: is_constant()

  // The value of a key that is written in it; null if it has none, or if it is no object.
  Data member(std::string_view key) const;

  // Fails with invalid; the message names the key.
  base::Result<templates::Value> render(const Renderer& renderer, const templates::VariablesView& variables,
                                        templates::Dependencies* seen = nullptr) const;
  base::Result<json::value> render_json(const Renderer& renderer, const templates::VariablesView& variables) const;
  // Without spaces at its ends; `True` for true.
  base::Result<std::string> render_text(const Renderer& renderer, const templates::VariablesView& variables) const;

 private:
  struct Compiled {
    templates::Template code;
    std::string key;
  };
  using List = std::vector<Data>;
  struct Entry;
  using Map = std::vector<Entry>;
  using Content = std::variant<json::value, Compiled, List, Map>;

  struct AsValue;
  struct AsJson;
  // Renders it into values of one kind.
  template <class As>
  base::Result<typename As::Made> made(const Renderer& renderer, const templates::VariablesView& variables,
                                       templates::Dependencies* seen) const;

  explicit Data(Content content) : content_(std::make_shared<const Content>(std::move(content))) {}

  std::shared_ptr<const Content> content_ = std::make_shared<const Content>();
};

struct Data::Entry {
  std::string key;
  Data value;
  std::optional<Data> key_template;  // absent: the key is as it is written
};

// The named values of `variables:`, in order.
using NamedData = std::vector<std::pair<std::string, Data>>;

bool is_true(const templates::Value& value);         // as conditions: the text `true` only
bool counts_as_true(const templates::Value& value);  // as triggers: also a number other than 0, yes, on, enable

}  // namespace hearth::automation
