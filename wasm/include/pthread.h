// One thread: what is to be done once is done at the first call.
#ifndef PKM_WASM_PTHREAD_H
#define PKM_WASM_PTHREAD_H

typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t* once, void (*work)(void))
{
    if (*once == 0) work();
    *once = 1;
    return 0;
}

#endif
