// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>

#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {
namespace {

enum class PropertyType { flag, byte, two_bytes, four_bytes, variable, text, bytes, pair };

constexpr int kConnack = 2, kPublish = 3, kPuback = 4, kPubrec = 5, kPubrel = 6, kPubcomp = 7, kSuback = 9,
              kUnsuback = 11, kDisconnect = 14;

constexpr unsigned in(std::initializer_list<int> packets) {
  unsigned bits = 0;
  for (const int packet : packets) bits |= 1u << packet;
  return bits;
}

struct PropertyRow {
  std::uint32_t id;
  PropertyType type;
  unsigned packets;  // from a broker that may have it: a bit for each type
  bool positive = false;
};

constexpr std::uint32_t kSubscriptionIdentifier = 11, kUserProperty = 38;
constexpr unsigned kWithReason = in({kConnack, kPuback, kPubrec, kPubrel, kPubcomp, kSuback, kUnsuback, kDisconnect});

// MQTT 5 §2.2.2.2.
constexpr PropertyRow kProperties[] = {
    {1, PropertyType::flag, in({kPublish})},
    {2, PropertyType::four_bytes, in({kPublish})},
    {3, PropertyType::text, in({kPublish})},
    {8, PropertyType::text, in({kPublish})},
    {9, PropertyType::bytes, in({kPublish})},
    {kSubscriptionIdentifier, PropertyType::variable, in({kPublish}), true},
    {17, PropertyType::four_bytes, in({kConnack})},
    {18, PropertyType::text, in({kConnack})},
    {19, PropertyType::two_bytes, in({kConnack})},
    {21, PropertyType::text, in({kConnack})},
    {22, PropertyType::bytes, in({kConnack})},
    {26, PropertyType::text, in({kConnack})},
    {28, PropertyType::text, in({kConnack, kDisconnect})},
    {31, PropertyType::text, kWithReason},
    {33, PropertyType::two_bytes, in({kConnack}), true},
    {34, PropertyType::two_bytes, in({kConnack})},
    {35, PropertyType::two_bytes, in({kPublish}), true},
    {36, PropertyType::flag, in({kConnack})},
    {37, PropertyType::flag, in({kConnack})},
    {kUserProperty, PropertyType::pair, kWithReason | in({kPublish})},
    {39, PropertyType::four_bytes, in({kConnack}), true},
    {40, PropertyType::flag, in({kConnack})},
    {41, PropertyType::flag, in({kConnack})},
    {42, PropertyType::flag, in({kConnack})},
};

std::unexpected<base::Error> wrong(std::string what) {
  return base::fail(base::ErrorCode::unavailable, std::move(what));
}

// False if the value is none. Sets `number` if it is one.
bool read_value(ByteReader& in, const PropertyRow& row, std::uint32_t& number) {
  switch (row.type) {
    case PropertyType::flag:
      number = in.byte();
      return number <= 1;
    case PropertyType::byte:
      number = in.byte();
      break;
    case PropertyType::two_bytes:
      number = in.two_bytes();
      break;
    case PropertyType::four_bytes:
      number = in.four_bytes();
      break;
    case PropertyType::variable:
      number = in.variable();
      break;
    case PropertyType::text:
      return is_received_text(in.text());
    case PropertyType::bytes:
      in.text();
      return true;
    case PropertyType::pair: {
      const bool name = is_received_text(in.text());
      return is_received_text(in.text()) && name;
    }
  }
  return number > 0 || !row.positive;
}

}  // namespace

std::optional<std::uint32_t> Properties::find(PropertyId id) const {
  const auto found = std::ranges::find(all_, id, &Property::id);
  return found == all_.end() ? std::nullopt : std::optional(found->value);
}

base::Result<Properties> read_properties(ByteReader& in, int packet) {
  ByteReader list(in.next(in.variable()));
  if (in.failed()) return wrong("its properties are longer than the packet");
  Properties properties;
  std::bitset<64> seen;
  while (list.left() > 0) {
    const std::uint32_t id = list.variable();
    if (list.failed()) return wrong("its properties end within one");
    const auto* const row = std::ranges::find(kProperties, id, &PropertyRow::id);
    if (row == std::end(kProperties)) return wrong(fmt::format("it has the unknown property {}", id));
    if (!(row->packets >> packet & 1)) return wrong(fmt::format("it must not have the property {}", id));
    if (seen[id] && id != kUserProperty && id != kSubscriptionIdentifier)
      return wrong(fmt::format("it has the property {} twice", id));
    seen[id] = true;
    std::uint32_t number = 0;
    const bool valid = read_value(list, *row, number);
    if (list.failed()) return wrong(fmt::format("its properties end within the property {}", id));
    if (!valid) return wrong(fmt::format("its property {} has a value that is not allowed", id));
    if (row->type != PropertyType::text && row->type != PropertyType::bytes && row->type != PropertyType::pair)
      properties.add(static_cast<PropertyId>(id), number);
  }
  return properties;
}

}  // namespace hearth::integrations::mqtt
