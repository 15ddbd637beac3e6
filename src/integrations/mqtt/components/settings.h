// SPDX-License-Identifier: Apache-2.0
// The keys of a component: the type and default of each, and the values that one description gives. Any thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/values/field.h"
#include "integrations/mqtt/components/device.h"
#include "integrations/mqtt/components/message_templates.h"

namespace hearth::integrations::mqtt {

namespace field = core::field;
using field::printed;

struct Key {
  std::string_view name;
  field::Type type;
  bool required = false;
  std::string_view fallback = {};  // of a text, payload or option
  std::string_view same_as = {};   // the key whose value it has by default
  double number = 0;               // by default; of a boolean: 0 or 1
};

// Keys that every component has.
extern const std::span<const Key> kSharedKeys;

class Settings {
 public:
  // `table`: the component's own keys, a constant. Keys that it lacks are ignored. A wrong value drops its key; fails
  // with invalid if it is required, or a topic that is no text.
  static base::Result<Settings> read(std::span<const Key> table, const json::object& keys, TemplateTexts& templates,
                                     std::vector<DroppedKey>& dropped);

  // True if the description gives it, and not null.
  bool has(std::string_view key) const;
  bool has_any(core::Words keys) const;
  // True if it gave null.
  bool denied(std::string_view key) const;
  // True if it gave something wrong, which was dropped.
  bool broken(std::string_view key) const;

  // The given value, otherwise the default. Valid as long as this.
  std::string_view text(std::string_view key) const;
  double number(std::string_view key) const;
  bool is_number(std::string_view key) const;  // whether it is of that type
  bool boolean(std::string_view key) const;
  const json::array& texts(std::string_view key) const;
  bool lists(std::string_view key, std::string_view text) const;
  // Null if absent.
  const MessageTemplate* compiled(std::string_view key) const;

  // Nobody asks for the values of these keys any more.
  void forget(core::Words keys);
  // Leaves the key out after all.
  void drop(std::string_view key, std::string reason, std::vector<DroppedKey>& dropped);

 private:
  const Key* find_key(std::string_view name) const;
  base::Result<void> set(const Key& key, const json::value& value, TemplateTexts& templates,
                         std::vector<DroppedKey>& dropped);

  struct Value {
    const Key* key;
    json::value value;  // of the key's type, or null
  };
  struct Template {
    const Key* key;
    MessageTemplate compiled;
  };
  const json::value* find(std::string_view key) const;
  const MessageTemplate* find_template(std::string_view key) const;

  // Few of each, and many entities have them: a list is smaller than a map.
  std::span<const Key> table_;
  std::vector<Value> values_;
  std::vector<Template> templates_;
  std::vector<std::string> broken_;
};

// 5 for 5.0, otherwise the shortest form.
std::string number_text(double number);
// The same for templates: whole numbers are integers there.
templates::Value template_value(double number);
templates::Value template_value(const json::value& value);

}  // namespace hearth::integrations::mqtt
