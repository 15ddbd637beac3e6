// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace scene {

constexpr Attribute kAttributes[] = {{"entity_id", field::TextList{}, Shown::if_reported}};
constexpr Input kTurnOn[] = {{{"transition", "Seconds to fade to the scene.", 2, field::Number{0, 6553, {}, true}}}};
constexpr Action kActions[] = {
    {"turn_on", "Activate", "Puts the entities of scenes into the states that they name.", kTurnOn}};

constexpr Input kEntities{
    .field = {"entities", "The state of each entity: its value, or an object with `state` and attributes.",
              core::Example::Json{R"({"light.tv":{"state":"on","brightness":80},"switch.pump":"off"})"},
              field::Object{}}};
constexpr Input kRequiredEntities = {
    .field = {"entities", kEntities.field.description, kEntities.field.example, kEntities.field.type, true}};
constexpr Input kApply[] = {kRequiredEntities, kTurnOn[0]};
constexpr Input kCreate[] = {
    {.field = {"scene_id", "The entity becomes scene.<scene_id>.", "reading", field::Text{}, true}},
    kEntities,
    {.field = {"snapshot_entities", "Entities whose states it takes as they are now.",
               core::Example::Json{R"(["light.tv"])"}, field::TextList{}}}};
constexpr Action kServices[] = {
    {"apply", "Apply", "Brings entities to the states that it names.", kApply},
    {"create", "Create", "Makes a scene of states that it names, or of those that entities have now.", kCreate},
    {"delete", "Delete", "Deletes scenes that scene.create has made."}};

}  // namespace scene

constexpr Kind kScene{
    .domain = "scene",
    .description = "States that several entities take together. Its state is when it was last activated.",
    .value = field::DateTime{},
    .on = "turn_on",
    .stamped = Stamped::when_done,
    .attributes = scene::kAttributes,
    .actions = scene::kActions,
    .services = scene::kServices};

}  // namespace hearth::domains
