int add(int A, int B) { return A + B; }
