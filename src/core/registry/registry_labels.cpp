// SPDX-License-Identifier: Apache-2.0
// Labels and categories, as a part of the registry.
#include <fmt/format.h>

#include <algorithm>

#include "base/random_id.h"
#include "base/text/utf8.h"
#include "core/registry/collection_type.h"
#include "core/registry/registry.h"
#include "core/registry/registry_edit.h"
#include "core/registry/registry_editor.h"

namespace hearth::core {
namespace {

using base::ErrorCode;
using base::Result;

// Besides #rrggbb: the names that pages of this family draw.
constexpr std::string_view kColors[] = {
    "primary", "accent", "disabled",    "red",   "pink",  "purple",      "deep-purple", "indigo",   "blue",
    "cyan",    "teal",   "light-blue",  "green", "lime",  "light-green", "yellow",      "amber",    "orange",
    "brown",   "grey",   "deep-orange", "white", "black", "light-grey",  "dark-grey",   "blue-grey"};

std::string_view kind_of(std::string_view collection) {
  return collection == kLabels ? "label" : "category";
}

std::unexpected<base::Error> no_such(std::string_view collection, std::string_view id) {
  return base::fail(ErrorCode::not_found,
                    fmt::format("There is no {} {}.", kind_of(collection), base::utf8_excerpt(id)));
}

Result<void> check_color(const json::object& fields) {
  const json::value* const value = fields.if_contains("color");
  if (!value) return {};
  const std::string_view text = value->get_string();
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); };
  if (text.size() == 7 && text[0] == '#' && std::ranges::all_of(text.substr(1), is_hex)) return {};
  if (std::ranges::find(kColors, text) != std::end(kColors)) return {};
  return base::fail(ErrorCode::invalid, fmt::format("color: expected #rrggbb or one of {}, got {}",
                                                    fmt::join(kColors, ", "), base::utf8_excerpt(text)));
}

Result<void> check_lengths(const json::object& fields) {
  for (const auto& [key, value] : fields) {
    const auto length = base::utf8_length(value.get_string());
    if (!length || *length > Registry::kMaxTextLength) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("{}: expected at most {} characters", key, Registry::kMaxTextLength));
    }
  }
  return {};
}

// True if no other in its scope has the name.
Result<void> check_name(std::string_view collection, std::string_view id, const json::object& fields,
                        const RegistryData& data) {
  const std::string_view name = fields.at("name").get_string();
  const json::value* const scope = fields.if_contains("scope");
  for (const Item* const other : data.items_of(collection)) {
    const std::string_view taken = other->fields.at("name").get_string();
    if (other->id == id || !same_name(taken, name) || (scope && other->fields.at("scope") != *scope)) continue;
    return base::fail(ErrorCode::conflict, fmt::format("name: the name {} is already in use by {}",
                                                       base::utf8_excerpt(name), base::utf8_excerpt(taken)));
  }
  return {};
}

std::string new_id(std::string_view collection, const json::object& fields, const RegistryData& data) {
  if (collection != kLabels) return base::make_random_id();
  std::string slug = slugify(fields.at("name").get_string());
  if (slug.empty()) slug = "label";
  std::string id = slug;
  for (int n = 2; data.find_item(collection, id); ++n) id = fmt::format("{}_{}", slug, n);
  return id;
}

}  // namespace

Result<Item> Registry::put_named(std::string_view collection, const std::string& id, const json::object& given,
                                 const Context& context) {
  Item item;
  auto done = change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const RegistryData& data = editor.data();
    const Item* const former = id.empty() ? nullptr : data.find_item(collection, id);
    if (!id.empty() && !former) return no_such(collection, id);
    const json::value* const scope = former ? given.if_contains("scope") : nullptr;
    if (scope && *scope != former->fields.at("scope")) return no_such(collection, id);
    auto fields = find_collection_type(collection)->fields_of(given, former ? &former->fields : nullptr);
    if (!fields) return std::unexpected(fields.error());
    for (const auto& checked :
         {check_lengths(*fields), check_color(*fields), check_name(collection, id, *fields, data)}) {
      if (!checked) return checked;
    }
    if (former)
      item = *former;
    else
      item = {.collection = std::string(collection), .id = new_id(collection, *fields, data), .fields = {}};
    item.fields = std::move(*fields);
    const std::string put_id = item.id;
    if (auto put = editor.put(std::move(item)); !put) return put;
    item = *editor.data().find_item(collection, put_id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return item;
}

Result<Item> Registry::create_label(const json::object& given, const Context& context) {
  return put_named(kLabels, {}, given, context);
}

Result<Item> Registry::update_label(const std::string& id, const json::object& given, const Context& context) {
  if (id.empty()) return no_such(kLabels, id);
  return put_named(kLabels, id, given, context);
}

Result<void> Registry::delete_label(const std::string& id, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    if (!editor.data().find_item(kLabels, id)) return no_such(kLabels, id);
    editor.erase_label(id);
    return {};
  });
}

Result<Item> Registry::create_category(const json::object& given, const Context& context) {
  return put_named(kCategories, {}, given, context);
}

Result<Item> Registry::update_category(const std::string& id, const json::object& given, const Context& context) {
  if (id.empty()) return no_such(kCategories, id);
  return put_named(kCategories, id, given, context);
}

Result<void> Registry::delete_category(const std::string& scope, const std::string& id, const Context& context) {
  return change(IfFull::fail, context, [&](RegistryEditor& editor) -> Result<void> {
    const Item* const category = editor.data().find_item(kCategories, id);
    if (!category || scope_of(*category) != scope) return no_such(kCategories, id);
    editor.erase_category(Item(*category));
    return {};
  });
}

}  // namespace hearth::core
