// SPDX-License-Identifier: Apache-2.0
// A sorted map that is cheap to copy: copies share their nodes, and a change copies only the path to the entry. For
// values that are read from published versions and changed one entry at a time.
//
// Like std::map: different copies may be used on different threads, one map by one thread at a time.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace hearth::base {

template <class Key, class Value, class Hash = std::hash<Key>>
class PersistentMap {
  struct Node;

 public:
  using Entry = std::pair<const Key, Value>;

  std::size_t size() const { return root_ ? root_->size : 0; }
  bool empty() const { return !root_; }

  // Null if absent. An entry has the same address in every copy until it is set or erased there.
  template <class Like>
  const Value* find(const Like& key) const {
    const Node* node = root_.get();
    while (node) {
      if (key < node->entry->first)
        node = node->left.get();
      else if (node->entry->first < key)
        node = node->right.get();
      else
        return &node->entry->second;
    }
    return nullptr;
  }
  template <class Like>
  bool contains(const Like& key) const {
    return find(key) != nullptr;
  }

  // REQUIRES: the key is there.
  template <class Like>
  const Value& at(const Like& key) const {
    return *find(key);
  }

  void set(Key key, Value value) {
    auto entry = std::make_shared<const Entry>(std::move(key), std::move(value));
    const std::uint64_t rank = rank_of(entry->first);
    root_ = with(root_, std::move(entry), rank);
  }
  template <class Like>
  void erase(const Like& key) {
    if (contains(key)) root_ = without(root_, key);
  }

  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;

    const Entry& operator*() const { return *path_.back()->entry; }
    const Entry* operator->() const { return path_.back()->entry.get(); }
    Iterator& operator++() {
      const Node* const right = path_.back()->right.get();
      path_.pop_back();
      descend(right);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return path_ == other.path_; }

   private:
    friend class PersistentMap;
    void descend(const Node* node) {
      for (; node; node = node->left.get()) path_.push_back(node);
    }

    std::vector<const Node*> path_;  // the current node on top, above those still to come
  };

  // In key order. Valid as long as the map or an equal copy.
  Iterator begin() const {
    Iterator first;
    first.descend(root_.get());
    return first;
  }
  Iterator end() const { return {}; }
  // The first entry that is not less than the key.
  template <class Like>
  Iterator lower_bound(const Like& key) const {
    Iterator found;
    for (const Node* node = root_.get(); node;) {
      const bool less = node->entry->first < key;
      if (!less) found.path_.push_back(node);
      node = less ? node->right.get() : node->left.get();
    }
    return found;
  }

 private:
  // A treap: sorted by key, and a heap by rank, which is a hash of the key.
  using Tree = std::shared_ptr<const Node>;
  using EntryPtr = std::shared_ptr<const Entry>;
  struct Node {
    EntryPtr entry;
    std::uint64_t rank;
    Tree left, right;
    std::size_t size;
  };

  static std::uint64_t rank_of(const Key& key) {
    std::uint64_t x = Hash()(key) + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }
  static Tree make(EntryPtr entry, std::uint64_t rank, Tree left, Tree right) {
    const std::size_t size = 1 + (left ? left->size : 0) + (right ? right->size : 0);
    return std::make_shared<const Node>(Node{std::move(entry), rank, std::move(left), std::move(right), size});
  }
  static Tree with(const Tree& tree, EntryPtr entry, std::uint64_t rank) {
    if (!tree) return make(std::move(entry), rank, {}, {});
    // If the key were in this tree, its rank could not exceed the root's.
    if (rank > tree->rank) {
      auto [less, greater] = split(tree, entry->first);
      return make(std::move(entry), rank, std::move(less), std::move(greater));
    }
    if (entry->first < tree->entry->first)
      return make(tree->entry, tree->rank, with(tree->left, std::move(entry), rank), tree->right);
    if (tree->entry->first < entry->first)
      return make(tree->entry, tree->rank, tree->left, with(tree->right, std::move(entry), rank));
    return make(std::move(entry), rank, tree->left, tree->right);
  }
  // REQUIRES: the key is not in the tree.
  static std::pair<Tree, Tree> split(const Tree& tree, const Key& key) {
    if (!tree) return {};
    if (tree->entry->first < key) {
      auto [less, greater] = split(tree->right, key);
      return {make(tree->entry, tree->rank, tree->left, std::move(less)), std::move(greater)};
    }
    auto [less, greater] = split(tree->left, key);
    return {std::move(less), make(tree->entry, tree->rank, std::move(greater), tree->right)};
  }
  // REQUIRES: the key is in the tree.
  template <class Like>
  static Tree without(const Tree& tree, const Like& key) {
    if (key < tree->entry->first) return make(tree->entry, tree->rank, without(tree->left, key), tree->right);
    if (tree->entry->first < key) return make(tree->entry, tree->rank, tree->left, without(tree->right, key));
    return joined(tree->left, tree->right);
  }
  static Tree joined(const Tree& left, const Tree& right) {
    if (!left) return right;
    if (!right) return left;
    if (left->rank > right->rank) return make(left->entry, left->rank, left->left, joined(left->right, right));
    return make(right->entry, right->rank, joined(left, right->left), right->right);
  }

  Tree root_;
};

}  // namespace hearth::base
