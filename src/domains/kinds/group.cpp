// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace group {

constexpr Attribute kAttributes[] = {
    {"entity_id", field::TextList{}},
    {"all", field::Boolean{}, Shown::if_reported},
    {"editable", field::Boolean{}, Shown::if_reported},
};
constexpr Input kId{{"object_id", "The group's entity id without group.", "bedroom", field::Text{}, true}};
constexpr Input kSet[] = {
    kId,
    {{"name", "What it is called.", "Bedroom", field::Text{}}},
    {{"icon", "Its icon.", "mdi:bed", field::Text{}}},
    {{"entities", "All its members.", core::Example::Json{R"(["light.bed","switch.fan"])"}, field::TextList{}}},
    {{"add_entities", "Members that come to the others.", core::Example::Json{R"(["light.desk"])"}, field::TextList{}}},
    {{"remove_entities", "Members that go.", core::Example::Json{R"(["light.desk"])"}, field::TextList{}}},
    {{"all", "Whether it is on only if all its members are.", true, field::Boolean{}}},
};
constexpr Input kRemove[] = {kId};
constexpr Action kServices[] = {
    {"set", "Set", "Makes a group, or changes one. A group that a file has is as there again once the files are read.",
     kSet},
    {"remove", "Remove", "Removes a group that group.set has made.", kRemove},
};

}  // namespace group

constexpr Kind kGroup{.domain = "group",
                      .description = "Several entities as one: on if one of them is, or if all are.",
                      .value = field::Text{},
                      .active = "on home open unlocked",
                      .attributes = group::kAttributes,
                      .services = group::kServices};

}  // namespace hearth::domains
