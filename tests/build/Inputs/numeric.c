/* Loops that vectorise, a varargs function, a switch, a struct by value. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
  double x, y;
  char name[8];
};

void saxpy(size_t n, float a, const float *restrict x, float *restrict y) {
  for (size_t i = 0; i < n; ++i)
    y[i] += a * x[i];
}

double norm(const struct point *p, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i)
    sum += sqrt(p[i].x * p[i].x + p[i].y * p[i].y);
  return sum;
}

int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  while (n--)
    s += va_arg(list, int);
  va_end(list);
  return s;
}

const char *describe(int code) {
  switch (code) {
  case 0: return "ok";
  case 1: return "missing";
  case 2: return "broken";
  case 7: return "late";
  default: return "unknown";
  }
}

static int compare(const void *a, const void *b) {
  return strcmp(((const struct point *)a)->name, ((const struct point *)b)->name);
}
void sort(struct point *p, size_t n) { qsort(p, n, sizeof *p, compare); }

int main(int argc, char **argv) {
  struct point p = {argc, 2, "p"};
  sort(&p, 1);
  printf("%s %g %d\n", describe(argc), norm(&p, 1), sum(3, 1, 2, argc));
  long double l = argc;
  return (int)(l * 2) == 0 || argv == NULL;
}
