// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace todo {

constexpr Feature kFeatures[] = {
    {"create_item", 1, "get new items"},         {"delete_item", 2, "lose items"},
    {"update_item", 4, "change items"},          {"move_item", 8, "move items"},
    {"set_due_date", 16, "give an item a day"},  {"set_due_datetime", 32, "give an item a time"},
    {"set_description", 64, "describe an item"},
};
constexpr core::Words kDue = "due_date due_datetime";
constexpr Input kDueDate = {.field = {"due_date", "The day on which it is to be done.", "2026-04-20", field::Date{}},
                            .needs = "set_due_date",
                            .essential = true};
constexpr Input kDueTime = {
    .field = {"due_datetime", "When it is to be done.", "2026-04-20T18:00:00+02:00", field::DateTime{}},
    .needs = "set_due_datetime",
    .essential = true};
constexpr Input kDescription = {.field = {"description", "More about it.", "The one from the market.", field::Text{}},
                                .needs = "set_description",
                                .essential = true};
constexpr Input kAddFields[] = {
    {.field = {"item", "What is to be done.", "Bread", field::Text{}, true}}, kDueDate, kDueTime, kDescription};
constexpr Input kUpdateFields[] = {
    {.field = {"item", "The item, by its text or its uid.", "Bread", field::Text{}, true}},
    {.field = {"rename", "Its new text.", "Rye bread", field::Text{}}},
    {.field = {"status", "Whether it is done.", "completed", field::Option{"needs_action completed"}}},
    kDueDate,
    kDueTime,
    kDescription};
constexpr Input kRemoveFields[] = {
    {.field = {"item", "The items, by their texts or uids.", "Bread", field::TextList{}, true}}};
constexpr Input kMoveFields[] = {
    {.field = {"item", "The item, by its text or its uid.", "Bread", field::Text{}, true}},
    {.field = {"previous", "The item behind which it stands from now on; without one it is the first.", "Milk",
               field::Text{}}}};
constexpr Input kGetFields[] = {
    {.field = {"status", "Only items that are done, or only those that are not.", "needs_action", field::TextList{}}}};
constexpr Action kActions[] = {
    {.service = "add_item",
     .name = "Add item",
     .description = "Adds an item to the lists.",
     .fields = kAddFields,
     .needs = "create_item",
     .one_of = kDue},
    {.service = "update_item",
     .name = "Update item",
     .description = "Changes an item of the lists.",
     .fields = kUpdateFields,
     .needs = "update_item",
     .one_of = kDue},
    {.service = "remove_item",
     .name = "Remove items",
     .description = "Takes items off the lists.",
     .fields = kRemoveFields,
     .needs = "delete_item"},
    {.service = "remove_completed_items",
     .name = "Remove completed items",
     .description = "Takes what is done off the lists.",
     .needs = "delete_item"},
    {.service = "move_item",
     .name = "Move item",
     .description = "Gives an item another place in the lists.",
     .fields = kMoveFields,
     .needs = "move_item"},
    {.service = "get_items",
     .name = "Get items",
     .description = "Answers with the items of each list.",
     .fields = kGetFields,
     .answers = true},
};

}  // namespace todo

constexpr Kind kTodo{.domain = "todo",
                     .description = "A list of things to do. Its state is how many are left.",
                     .value = field::Integer{0, 1'000'000},
                     .features = todo::kFeatures,
                     .actions = todo::kActions};

}  // namespace hearth::domains
