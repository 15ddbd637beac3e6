// SPDX-License-Identifier: Apache-2.0
// Items of collections, as a part of the registry.
#include <fmt/format.h>

#include "base/random_id.h"
#include "base/text/utf8.h"
#include "core/registry/registry.h"
#include "core/registry/registry_editor.h"

namespace hearth::core {
namespace {

using base::Result;

std::unexpected<base::Error> no_item(std::string_view id) {
  return base::fail(base::ErrorCode::not_found, fmt::format("There is no {}.", base::utf8_excerpt(id)));
}

}  // namespace

Result<Item> Registry::create_item(const std::string& collection, std::string id, json::object fields,
                                   const Context& context, IfFull if_full) {
  if (id.empty()) id = base::make_random_id();
  Item item;
  auto done = change(if_full, context, [&](RegistryEditor& editor) -> Result<void> {
    if (editor.data().find_item(collection, id))
      return base::fail(base::ErrorCode::conflict, fmt::format("There is a {} already.", base::utf8_excerpt(id)));
    if (auto put = editor.put({.collection = collection, .id = id, .fields = fields}); !put) return put;
    item = *editor.data().find_item(collection, id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return item;
}

Result<Item> Registry::update_item(const std::string& collection, const std::string& id, json::object fields,
                                   std::optional<int> revision, const Context& context, IfFull if_full) {
  Item item;
  auto done = change(if_full, context, [&](RegistryEditor& editor) -> Result<void> {
    const Item* const former = editor.data().find_item(collection, id);
    if (!former) return no_item(id);
    if (revision && *revision != former->revision) {
      return base::fail(base::ErrorCode::conflict,
                        fmt::format("revision: {} has changed meanwhile: it is at {}, not {}.", base::utf8_excerpt(id),
                                    former->revision, *revision));
    }
    item = *former;
    item.fields = fields;
    if (auto put = editor.put(std::move(item)); !put) return put;
    item = *editor.data().find_item(collection, id);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return item;
}

Result<void> Registry::delete_items(const std::string& collection, std::span<const std::string> ids,
                                    const Context& context, IfFull if_full) {
  return change(if_full, context, [&](RegistryEditor& editor) -> Result<void> {
    for (const std::string& id : ids) {
      const Item* const item = editor.data().find_item(collection, id);
      if (!item) return no_item(id);
      editor.erase_item(Item(*item));
    }
    return {};
  });
}

}  // namespace hearth::core
