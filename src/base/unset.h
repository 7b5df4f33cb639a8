/// Local variables that are set before they are read, in functions that run millions of times: the
/// release build begins all others as zero (cmake/hardening.cmake), which costs more than what is
/// done with some of them.
#ifndef PKM_BASE_UNSET_H
#define PKM_BASE_UNSET_H

#ifdef __has_attribute
#if __has_attribute(uninitialized)
#define PKM_UNSET __attribute__((uninitialized))
#endif
#endif
#ifndef PKM_UNSET
#define PKM_UNSET
#endif

#endif
