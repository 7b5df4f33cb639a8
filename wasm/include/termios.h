// libfyaml asks a terminal for its colours; there is none here.
#ifndef PKM_WASM_TERMIOS_H
#define PKM_WASM_TERMIOS_H

#define TCSANOW 0

struct termios {
    int unused;
};

static inline int tcgetattr(int file, struct termios* out)
{
    (void)file, (void)out;
    return -1;
}

static inline int tcsetattr(int file, int when, const struct termios* to)
{
    (void)file, (void)when, (void)to;
    return -1;
}

static inline void cfmakeraw(struct termios* to)
{
    (void)to;
}

#endif
