//===- ferry/detail/text.h - Text made while compiling ----------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of types and kernels as the user wrote them, and messages put together
// from them. Both are read out of __PRETTY_FUNCTION__, whose end is
// "[T = float]" in clang.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_DETAIL_TEXT_H
#define FERRY_DETAIL_TEXT_H

#include <cstddef>
#include <string_view>

namespace ferry::detail {

/// A message of static_assert: anything with size() and data() will do. What
/// does not fit is cut.
struct Text {
  char Buffer[1024] = {};
  std::size_t Length = 0;

  constexpr Text &operator<<(std::string_view S) {
    for (char C : S)
      if (Length < sizeof(Buffer))
        Buffer[Length++] = C;
    return *this;
  }
  constexpr Text &operator<<(std::size_t N) {
    char Digits[20] = {};
    std::size_t Count = 0;
    do
      Digits[Count++] = static_cast<char>('0' + N % 10);
    while (N /= 10);
    while (Count)
      *this << std::string_view(&Digits[--Count], 1);
    return *this;
  }
  constexpr std::size_t size() const { return Length; }
  constexpr const char *data() const { return Buffer; }
  constexpr bool empty() const { return Length == 0; }
};

/// "[T = float]" -> "float".
consteval std::string_view templateArgument(std::string_view Pretty) {
  std::size_t Begin = Pretty.find(" = ", Pretty.rfind('[')) + 3;
  // An array type or a lambda's path may hold brackets of its own: the list is
  // the one that the function's own parameter opens.
  for (std::string_view Key : {"[T = ", "[K = "})
    if (std::size_t At = Pretty.find(Key); At != std::string_view::npos)
      Begin = At + Key.size();
  return Pretty.substr(Begin, Pretty.size() - Begin - 1);
}

template <class T> consteval std::string_view typeName() {
  return templateArgument(__PRETTY_FUNCTION__);
}

template <auto K> consteval std::string_view constantName() {
  return templateArgument(__PRETTY_FUNCTION__);
}

/// "&ns::blur<float>" -> "ns::blur<float>",
/// "(lambda at dir/app.cpp:12:5){}" -> "lambda at app.cpp:12:5".
consteval std::string_view kernelName(std::string_view Name) {
  if (Name.starts_with('&'))
    Name.remove_prefix(1);
  if (Name.ends_with("{}"))
    Name.remove_suffix(2);
  return Name;
}

constexpr std::string_view LambdaPrefix = "(lambda at ";

consteval std::size_t nameLength(std::string_view Name) {
  if (!Name.starts_with(LambdaPrefix))
    return Name.size();
  std::size_t Directory = Name.rfind('/');
  std::size_t File =
      Directory == std::string_view::npos ? LambdaPrefix.size() : Directory + 1;
  return LambdaPrefix.size() - 1 + Name.size() - File - 1;
}

template <std::size_t N> struct Characters {
  char Buffer[N + 1] = {};
};

/// The characters of a kernel's name, as an object of its own: the marker wants
/// its address and length as constants.
template <std::size_t N>
consteval Characters<N> nameCharacters(std::string_view Name) {
  Characters<N> Result;
  std::size_t At = 0;
  if (Name.starts_with(LambdaPrefix)) {
    for (char C : LambdaPrefix.substr(1))
      Result.Buffer[At++] = C;
    std::size_t Directory = Name.rfind('/');
    Name = Name.substr(Directory == std::string_view::npos ? LambdaPrefix.size()
                                                           : Directory + 1);
    Name.remove_suffix(1);
  }
  for (char C : Name)
    Result.Buffer[At++] = C;
  return Result;
}

} // namespace ferry::detail

#endif // FERRY_DETAIL_TEXT_H
