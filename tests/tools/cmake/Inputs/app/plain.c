int plain(void) { return 4; }
