//===- Section.cpp - A section of an object file --------------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Section.h"
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ferry {

namespace {
class ElfFile {
public:
  explicit ElfFile(const std::filesystem::path &Path) : Path(Path) {
    errno = 0;
    std::ifstream In(Path, std::ios::binary);
    if (!In || std::filesystem::is_directory(Path))
      throw std::runtime_error(Path.string() + " cannot be read: " +
                               std::strerror(errno ? errno : EISDIR));
    Bytes.assign(std::istreambuf_iterator<char>(In), {});
    if (Bytes.size() < sizeof(Elf64_Ehdr) ||
        std::memcmp(Bytes.data(), ELFMAG, SELFMAG) != 0 ||
        Bytes[EI_CLASS] != ELFCLASS64 || Bytes[EI_DATA] != ELFDATA2LSB)
      throw std::runtime_error(Path.string() +
                               " is no program, library or object file");
  }

  template <typename T> T at(uint64_t Offset) const {
    T Value;
    std::memcpy(&Value, part(Offset, sizeof(T)), sizeof(T));
    return Value;
  }

  const char *part(uint64_t Offset, uint64_t Size) const {
    if (Offset > Bytes.size() || Size > Bytes.size() - Offset)
      throw std::runtime_error(Path.string() + " is damaged");
    return Bytes.data() + Offset;
  }

private:
  std::filesystem::path Path;
  std::string Bytes;
};
} // namespace

std::string readSection(const std::filesystem::path &File,
                        const std::string &Name) {
  ElfFile Elf(File);
  auto Header = Elf.at<Elf64_Ehdr>(0);
  if (Header.e_shoff == 0)
    return {};
  auto Section = [&](uint64_t I) {
    return Elf.at<Elf64_Shdr>(Header.e_shoff + I * sizeof(Elf64_Shdr));
  };
  // Large numbers stand in the first section's header.
  Elf64_Shdr First = Section(0);
  uint64_t Count = Header.e_shnum ? Header.e_shnum : First.sh_size;
  uint64_t NamesIndex =
      Header.e_shstrndx == SHN_XINDEX ? First.sh_link : Header.e_shstrndx;
  Elf64_Shdr Names = Section(NamesIndex);
  std::string Content;
  for (uint64_t I = 1; I < Count; ++I) {
    Elf64_Shdr S = Section(I);
    if (S.sh_name >= Names.sh_size ||
        Names.sh_size - S.sh_name < Name.size() + 1 ||
        std::memcmp(Elf.part(Names.sh_offset + S.sh_name, Name.size() + 1),
                    Name.c_str(), Name.size() + 1) != 0)
      continue;
    Content.append(Elf.part(S.sh_offset, S.sh_size), S.sh_size);
  }
  return Content;
}

} // namespace ferry
