// SPDX-License-Identifier: Apache-2.0
#include "template/language/parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::templates {

Token Parser::take() {
  Token token = now();
  if (position_ + 1 < tokens_.size()) ++position_;
  return token;
}

bool Parser::take_sign(std::string_view sign) {
  if (!is_sign(sign)) return false;
  take();
  return true;
}

bool Parser::take_name(std::string_view name) {
  if (!is_name(name)) return false;
  take();
  return true;
}

void Parser::expect_sign(std::string_view sign) {
  if (!take_sign(sign)) refuse(fmt::format("expected token '{}', got '{}'", sign, described()));
}

void Parser::expect_name(std::string_view name) {
  if (!take_name(name)) refuse(fmt::format("expected token '{}', got '{}'", name, described()));
}

std::string Parser::expect_any_name() {
  if (now().kind != TokenKind::name) refuse(fmt::format("expected token 'name', got '{}'", described()));
  return take().text;
}

void Parser::expect_block_end() {
  if (now().kind != TokenKind::block_end)
    refuse(fmt::format("expected token 'end of statement block', got '{}'", described()));
  take();
}

void Parser::refuse(std::string message) const {
  throw Failure{FailureKind::syntax, std::move(message), now().line};
}

std::string Parser::described() const {
  switch (now().kind) {
    case TokenKind::data:
      return "template data";
    case TokenKind::print_begin:
      return "begin of print statement";
    case TokenKind::print_end:
      return "end of print statement";
    case TokenKind::block_begin:
      return "begin of statement block";
    case TokenKind::block_end:
      return "end of statement block";
    case TokenKind::end:
      return "end of template";
    default:
      return now().text;
  }
}

Block Parser::parse() {
  return parse_until({});
}

// Up to one of these tags, which is left at its name; or, if there are none, to the end of the template.
Block Parser::parse_until(std::initializer_list<std::string_view> ends) {
  const Deeper deeper;
  Block block;
  while (true) {
    switch (now().kind) {
      case TokenKind::end:
        if (ends.size() == 0) return block;
        refuse(fmt::format("Unexpected end of template. The innermost block that needs to be closed expects '{}'.",
                           *(ends.end() - 1)));
      case TokenKind::data:
        block.add(std::make_unique<PrintText>(take().text));
        break;
      case TokenKind::print_begin: {
        take();
        block.add(std::make_unique<PrintValue>(parse_row()));
        if (now().kind != TokenKind::print_end)
          refuse(fmt::format("expected token 'end of print statement', got '{}'", described()));
        take();
        break;
      }
      case TokenKind::block_begin:
        take();
        if (now().kind == TokenKind::name && std::find(ends.begin(), ends.end(), now().text) != ends.end())
          return block;
        parse_statement(block);
        expect_block_end();
        break;
      default:
        refuse(fmt::format("unexpected '{}'", described()));
    }
  }
}

void Parser::parse_statement(Block& block) {
  if (now().kind != TokenKind::name) refuse("tag name expected");
  const std::string tag = now().text;
  if (tag == "for") return block.add(parse_for());
  if (tag == "if") return block.add(parse_if());
  if (tag == "set") return block.add(parse_set());
  if (tag == "with") return block.add(parse_with());
  if (tag == "macro") return block.add(parse_macro());
  if (tag == "call") return block.add(parse_call_block());
  if (tag == "filter") return block.add(parse_filter_block());
  if (tag == "import") return block.add(parse_import());
  if (tag == "from") return block.add(parse_from());
  if (tag == "do") {
    take();
    return block.add(std::make_unique<Do>(parse_row()));
  }
  if (tag == "print") {
    take();
    return block.add(std::make_unique<PrintValue>(parse_row()));
  }
  if (tag == "break" || tag == "continue") {
    if (!loops_) refuse(fmt::format("'{}' needs a loop around it", tag));
    take();
    return block.add(std::make_unique<Jump>(tag == "break" ? Flow::break_ : Flow::continue_));
  }
  refuse(fmt::format("Encountered unknown tag '{}'.", tag));
}

StatementPtr Parser::parse_for() {
  For::Parts parts;
  parts.line = take().line;
  parts.target = parse_target(false);
  expect_name("in");
  parts.items = parse_row(false);
  if (take_name("if")) parts.test = parse_expression();
  parts.recursive = take_name("recursive");
  parts.loop_id = names_.id("loop");
  expect_block_end();
  ++loops_;
  parts.block = parse_until({"else", "endfor"});
  --loops_;
  if (take_name("else")) {
    expect_block_end();
    parts.otherwise = parse_until({"endfor"});
  }
  take();
  return std::make_unique<For>(std::move(parts));
}

StatementPtr Parser::parse_if() {
  std::vector<If::Branch> branches;
  while (true) {
    take();  // if, elif
    ExpressionPtr test = parse_row(false);
    expect_block_end();
    Block block = parse_until({"elif", "else", "endif"});
    branches.push_back({std::move(test), std::move(block)});
    if (is_name("elif")) continue;
    if (take_name("else")) {
      expect_block_end();
      branches.push_back({nullptr, parse_until({"endif"})});
    }
    take();
    return std::make_unique<If>(std::move(branches));
  }
}

StatementPtr Parser::parse_set() {
  const int line = take().line;
  Target target = parse_target(true);
  if (take_sign("=")) return std::make_unique<Set>(std::move(target), parse_row(), line);
  Filters filters = parse_filters();
  expect_block_end();
  Block block = parse_until({"endset"});
  take();
  return std::make_unique<SetBlock>(std::move(target), std::move(filters), std::move(block), line);
}

StatementPtr Parser::parse_with() {
  const int line = take().line;
  std::vector<std::pair<Target, ExpressionPtr>> values;
  while (now().kind != TokenKind::block_end) {
    if (!values.empty()) expect_sign(",");
    Target target = parse_target(false);
    expect_sign("=");
    values.emplace_back(std::move(target), parse_expression());
  }
  expect_block_end();
  Block block = parse_until({"endwith"});
  take();
  return std::make_unique<With>(std::move(values), std::move(block), line);
}

void Parser::parse_parameters(MacroBody& body) {
  expect_sign("(");
  while (!is_sign(")")) {
    if (!body.parameters.empty()) expect_sign(",");
    std::string name = expect_any_name();
    const int id = names_.id(name);
    ExpressionPtr otherwise;
    if (take_sign("="))
      otherwise = parse_expression();
    else if (!body.parameters.empty() && body.parameters.back().otherwise)
      refuse("non-default argument follows default argument");
    body.parameters.push_back({std::move(name), id, std::move(otherwise)});
  }
  expect_sign(")");
}

// Reads the body, and notes which of the special names it uses.
void Parser::finish_macro(MacroBody& body, std::string_view end) {
  expect_block_end();
  const std::size_t begin = position_;
  const int loops = std::exchange(loops_, 0);
  body.block = parse_until({end});
  loops_ = loops;
  for (std::size_t i = begin; i < position_; ++i) {
    if (tokens_[i].kind != TokenKind::name) continue;
    body.uses_varargs = body.uses_varargs || tokens_[i].text == "varargs";
    body.uses_kwargs = body.uses_kwargs || tokens_[i].text == "kwargs";
    body.uses_caller = body.uses_caller || tokens_[i].text == "caller";
  }
  body.varargs_id = names_.id("varargs");
  body.kwargs_id = names_.id("kwargs");
  body.caller_id = names_.id("caller");
  take();
}

StatementPtr Parser::parse_macro() {
  take();
  auto body = std::make_unique<MacroBody>();
  body->name = expect_any_name();
  parse_parameters(*body);
  finish_macro(*body, "endmacro");
  const int id = names_.id(body->name);
  return std::make_unique<Macro>(id, std::move(body));
}

StatementPtr Parser::parse_call_block() {
  take();
  auto body = std::make_unique<MacroBody>();
  body->name = "caller";
  if (is_sign("(")) parse_parameters(*body);
  ExpressionPtr call = parse_expression();
  const auto* const made = dynamic_cast<const CallExpression*>(call.get());
  if (!made) refuse("expected call");
  call.release();
  std::unique_ptr<const CallExpression> owned(made);
  finish_macro(*body, "endcall");
  return std::make_unique<CallBlock>(std::move(owned), std::move(body));
}

Filters Parser::parse_filters() {
  Filters filters;
  while (take_sign("|")) filters.push_back(parse_filter(nullptr));
  return filters;
}

StatementPtr Parser::parse_filter_block() {
  take();
  Filters filters;
  filters.push_back(parse_filter(nullptr));
  for (auto& filter : parse_filters()) filters.push_back(std::move(filter));
  expect_block_end();
  Block block = parse_until({"endfilter"});
  take();
  return std::make_unique<FilterBlock>(std::move(filters), std::move(block));
}

StatementPtr Parser::parse_import() {
  const int line = take().line;
  ExpressionPtr file = parse_expression();
  expect_name("as");
  const int id = names_.id(expect_any_name());
  if (take_name("with") || take_name("without")) expect_name("context");
  return std::make_unique<Import>(std::move(file), id, std::vector<Import::Named>(), line);
}

StatementPtr Parser::parse_from() {
  const int line = take().line;
  ExpressionPtr file = parse_expression();
  expect_name("import");
  std::vector<Import::Named> names;
  while (now().kind == TokenKind::name) {
    if ((is_name("with") || is_name("without")) && next_one().text == "context") {
      take();
      take();
      break;
    }
    std::string name = take().text;
    if (name.starts_with('_')) refuse("names starting with an underline can not be imported");
    const std::string as = take_name("as") ? expect_any_name() : name;
    names.push_back({std::move(name), names_.id(as)});
    if (!take_sign(",")) {
      if ((is_name("with") || is_name("without")) && next_one().text == "context") continue;
      break;
    }
  }
  if (names.empty()) refuse("expected names to import");
  return std::make_unique<Import>(std::move(file), -1, std::move(names), line);
}

Target Parser::parse_target(bool with_attribute, bool with_row) {
  const auto one = [&]() -> Target {
    if (with_row && take_sign("(")) {
      Target inner = parse_target(with_attribute);
      expect_sign(")");
      return inner;
    }
    Target target;
    target.name = expect_any_name();
    for (const std::string_view reserved : {"true", "false", "none", "True", "False", "None"}) {
      if (target.name == reserved) refuse("can't assign to 'const'");
    }
    target.id = names_.id(target.name);
    if (with_attribute && take_sign(".")) target.attribute = expect_any_name();
    return target;
  };
  const Deeper deeper;
  Target first = one();
  if (!with_row || !is_sign(",")) return first;
  Target row;
  row.row.push_back(std::move(first));
  while (take_sign(",")) {
    if (now().kind != TokenKind::name && !is_sign("(")) break;
    if (is_name("in")) break;
    row.row.push_back(one());
  }
  return row;
}

int NameTable::id(std::string_view name) {
  const auto found = ids_.find(name);
  if (found != ids_.end()) return found->second;
  return ids_.emplace(std::string(name), static_cast<int>(ids_.size())).first->second;
}

Program::Program(std::string_view source) {
  block_ = Parser(read_tokens(source), names_).parse();
}

Dict Program::exports(const Scope& scope) const {
  Dict dict;
  for (const auto& [name, id] : names_.all()) {
    if (name.starts_with('_')) continue;
    for (const auto& [own, value] : scope.own()) {
      if (own == id) dict.set(Value(name), value);
    }
  }
  return dict;
}

}  // namespace hearth::templates
