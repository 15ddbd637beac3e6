// SPDX-License-Identifier: Apache-2.0
// A sorted set that is cheap to copy: copies share their nodes, and a change copies only the path to the element. For
// values that are read from published versions and changed one element at a time.
//
// Elements never change, and several sets may share one: an index of a set costs a node for each element, and no copy
// of it or of its keys.
//
// Like std::set: different copies may be used on different threads, one set by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/shared.h"

namespace hearth::base {

// Sorted by KeyOf()(element), which no two elements share. `Hash`: of such a key.
template <class Element, class KeyOf, class Hash>
class PersistentSet {
  struct Node;

 public:
  using Ptr = SharedPtr<Element>;

  std::size_t size() const { return root_ ? root_->size : 0; }
  bool empty() const { return !root_; }

  // Null if absent. An element has the same address in every copy until it is replaced or erased there.
  template <class Like>
  const Element* find(const Like& key) const {
    const Node* node = root_.get();
    while (node) {
      if (key < node->key())
        node = node->left.get();
      else if (node->key() < key)
        node = node->right.get();
      else
        return &node->element->value;
    }
    return nullptr;
  }
  template <class Like>
  bool contains(const Like& key) const {
    return find(key) != nullptr;
  }

  // Replaces the element with the same key.
  void insert(Ptr element) {
    const std::uint64_t rank = rank_of(KeyOf()(element->value));
    root_ = with(root_, std::move(element), rank);
  }
  template <class Like>
  void erase(const Like& key) {
    if (contains(key)) root_ = without(root_, key);
  }

  class Iterator {
   public:
    using value_type = Element;
    using difference_type = std::ptrdiff_t;

    const Element& operator*() const { return path_.back()->element->value; }
    const Element* operator->() const { return &**this; }
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
    friend class PersistentSet;
    void descend(const Node* node) {
      for (; node; node = node->left.get()) path_.push_back(node);
    }

    std::vector<const Node*> path_;  // the current node on top, above those still to come
  };

  // In key order. Valid as long as the set or an equal copy.
  Iterator begin() const {
    Iterator first;
    first.path_.reserve(kUsualDepth);
    first.descend(root_.get());
    return first;
  }
  Iterator end() const { return {}; }
  // The first element whose key is not less than this one.
  template <class Like>
  Iterator lower_bound(const Like& key) const {
    Iterator found;
    found.path_.reserve(kUsualDepth);
    for (const Node* node = root_.get(); node;) {
      const bool less = node->key() < key;
      if (!less) found.path_.push_back(node);
      node = less ? node->right.get() : node->left.get();
    }
    return found;
  }

 private:
  static constexpr std::size_t kUsualDepth = 32;  // of some 10,000 elements

  // A treap: sorted by key, and a heap by rank, which is a hash of the key.
  using Tree = boost::intrusive_ptr<const Node>;
  struct Node : boost::intrusive_ref_counter<Node> {
    Node(Ptr its_element, std::uint64_t its_rank, Tree its_left, Tree its_right)
        : size(1 + (its_left ? its_left->size : 0) + (its_right ? its_right->size : 0)),
          rank(its_rank),
          element(std::move(its_element)),
          left(std::move(its_left)),
          right(std::move(its_right)) {}

    decltype(auto) key() const { return KeyOf()(element->value); }

    std::uint32_t size;
    std::uint64_t rank;
    Ptr element;
    Tree left, right;
  };

  template <class Key>
  static std::uint64_t rank_of(const Key& key) {
    std::uint64_t x = Hash()(key) + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }
  static Tree make(Ptr element, std::uint64_t rank, Tree left, Tree right) {
    return Tree(new Node(std::move(element), rank, std::move(left), std::move(right)));
  }
  static Tree with(const Tree& tree, Ptr element, std::uint64_t rank) {
    if (!tree) return make(std::move(element), rank, {}, {});
    // If the key were in this tree, its rank could not exceed the root's.
    if (rank > tree->rank) {
      auto [less, greater] = split(tree, KeyOf()(element->value));
      return make(std::move(element), rank, std::move(less), std::move(greater));
    }
    if (KeyOf()(element->value) < tree->key())
      return make(tree->element, tree->rank, with(tree->left, std::move(element), rank), tree->right);
    if (tree->key() < KeyOf()(element->value))
      return make(tree->element, tree->rank, tree->left, with(tree->right, std::move(element), rank));
    return make(std::move(element), rank, tree->left, tree->right);
  }
  // REQUIRES: the key is not in the tree.
  template <class Key>
  static std::pair<Tree, Tree> split(const Tree& tree, const Key& key) {
    if (!tree) return {};
    if (tree->key() < key) {
      auto [less, greater] = split(tree->right, key);
      return {make(tree->element, tree->rank, tree->left, std::move(less)), std::move(greater)};
    }
    auto [less, greater] = split(tree->left, key);
    return {std::move(less), make(tree->element, tree->rank, std::move(greater), tree->right)};
  }
  // REQUIRES: the key is in the tree.
  template <class Like>
  static Tree without(const Tree& tree, const Like& key) {
    if (key < tree->key()) return make(tree->element, tree->rank, without(tree->left, key), tree->right);
    if (tree->key() < key) return make(tree->element, tree->rank, tree->left, without(tree->right, key));
    return joined(tree->left, tree->right);
  }
  static Tree joined(const Tree& left, const Tree& right) {
    if (!left) return right;
    if (!right) return left;
    if (left->rank > right->rank) return make(left->element, left->rank, left->left, joined(left->right, right));
    return make(right->element, right->rank, joined(left, right->left), right->right);
  }

  Tree root_;
};

}  // namespace hearth::base
