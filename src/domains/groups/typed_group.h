// SPDX-License-Identifier: Apache-2.0
// A group that is an entity of a domain: a light of several lights. Its state is made of those of its members, and a
// command goes to the members that can do it. Bus thread only, except where noted.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/values/words.h"
#include "domains/entities/group_index.h"
#include "domains/entities/helper.h"

namespace hearth::domains {

// A member as its group looks at it.
struct GroupMember {
  std::string entity_id;
  core::StatePtr state;          // null if there is no such entity
  json::object attributes = {};  // those that the group asks for

  // True if it says something.
  bool is_valid() const;
  const json::value* find(std::string_view attribute) const { return attributes.if_contains(attribute); }
  std::optional<double> number(std::string_view attribute) const;
  std::string_view text(std::string_view attribute) const;  // empty if it is none
  unsigned features() const;
};
using GroupMembers = std::vector<GroupMember>;

class TypedGroup : public Helper, public GroupIndex::Group {
 public:
  TypedGroup(core::Hub& hub, core::Item item, bool editable) : Helper(hub, std::move(item), editable) {}
  ~TypedGroup() override;

  base::Result<void> add(EntityTable& entities) final;
  void apply(const core::Item& item, EntityTable& entities) final;
  bool can_become(const core::Item& item) const final;

  std::string_view entity_id() const final { return entity_ ? entity_->entity_id() : std::string_view(); }
  const std::vector<std::string>& members() const final { return members_; }
  void regroup() final;

 protected:
  // The entity, which may know its last state. It is not in the home yet.
  virtual std::unique_ptr<Entity> make(EntityInfo info, const core::State* last) = 0;
  // The attributes of members that it asks for.
  virtual core::Words wanted() const = 0;
  // Reports what the members make of it. `cause`: the change or the call that led to it; may be null.
  virtual void show(const core::Context* cause) = 0;
  // True if its value is another one than it shows. Such a change is not to be lost among others of the same moment.
  virtual bool has_turned() const = 0;

  const GroupMembers& seen() const { return seen_; }
  // True if one of them is.
  bool is_available() const;
  bool is_set(std::string_view field) const;  // to true
  json::value entity_ids() const;             // the members, as the attribute has them

  // Calls the members' service for the last command, in its context, with its caller's rights: those that the caller
  // may control and that can do it, without the fields that they do not know. Then shows what came of it.
  void forward(std::string_view service, const json::object& data);
  // True if a member that the caller may control refuses these data. Fails with invalid.
  base::Result<void> accepted(std::string_view service, const json::object& data) const;

 private:
  // One call for members that take the same data.
  struct Part {
    std::string domain;
    json::object data;
    json::array entity_ids;
  };

  std::vector<Part> parts_of(std::string_view service, const json::object& data) const;
  void look(std::vector<std::string> counted);  // at these, and at what becomes of them
  void see(std::vector<std::string> counted);
  GroupMember seen_of(std::string entity_id, core::StatePtr state) const;
  void follow(const core::StateChange& change, const core::Event& event);

  EntityTable* entities_ = nullptr;  // once it is in the home, as the entity
  Entity* entity_ = nullptr;
  std::vector<std::string> members_;                        // as they were named
  GroupMembers seen_;                                       // those that count
  std::map<std::string, std::size_t, std::less<>> places_;  // in it
  std::optional<core::EntityListeners::Listening> listening_;
  std::optional<core::Context> due_;  // it is to show what has changed; the last cause
  std::shared_ptr<TypedGroup*> self_ = std::make_shared<TypedGroup*>(this);  // for what comes later
};

// Null if the item is none.
std::unique_ptr<Helper> make_typed_group(core::Hub& hub, const core::Item& item, bool editable);

// Of a group's fields, as the collection has them: light.kitchen, as it is wanted; empty if it has no type. Any thread.
std::string id_of_typed_group(const json::object& fields);
// None if it has no type. Any thread.
std::vector<std::string> members_of_typed_group(const json::object& fields);

}  // namespace hearth::domains
