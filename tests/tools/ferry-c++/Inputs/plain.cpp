// A program without launches that uses some of what debug info describes.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

template <class T> static T smallest(std::vector<T> &V) {
  std::sort(V.begin(), V.end());
  return V[0];
}

int main(int Count, char **) {
  std::vector<int> V = {3, 1, Count};
  std::map<std::string, int> Numbers;
  Numbers["a"] = smallest(V);
  auto add = [&](int X) { return X + Numbers["a"]; };
  try {
    if (add(2) != 3)
      throw 1;
  } catch (int E) {
    return E;
  }
  std::puts("plain");
}
