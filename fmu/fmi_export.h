/// How a function becomes one that others may call.
#ifndef PKM_FMU_FMI_EXPORT_H
#define PKM_FMU_FMI_EXPORT_H

#ifdef _WIN32
#define FMI_EXPORT __declspec(dllexport)
#else
#define FMI_EXPORT __attribute__((visibility("default")))
#endif

#endif
