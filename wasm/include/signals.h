// Nobody interrupts a program here but by ending it: handlers are accepted and never called.
#ifndef PKM_WASM_SIGNALS_H
#define PKM_WASM_SIGNALS_H

#define SA_RESETHAND 0

struct sigaction {
    void (*sa_handler)(int);
    int sa_flags;
    int sa_mask;
};

static inline int sigemptyset(int* mask)
{
    *mask = 0;
    return 0;
}

static inline int sigaction(int number, const struct sigaction* to, struct sigaction* from)
{
    (void)number, (void)to, (void)from;
    return 0;
}

/// Every process is alive as far as anybody can tell: what others left is not removed.
static inline int kill(int process, int number)
{
    (void)process, (void)number;
    return 0;
}

/// The folder "name-XXXXXX" itself, when it can be made.
int mkdir(const char* path, unsigned mode);
static inline char* mkdtemp(char* name)
{
    return mkdir(name, 0700) == 0 ? name : (char*)0;
}

#endif
