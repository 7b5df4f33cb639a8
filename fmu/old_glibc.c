/// Functions whose present versions older systems lack, bound to those that every glibc for this
/// machine has: an FMU runs where it is taken to. golden.fmu reads the versions from the library.
#if defined __linux__ && defined __x86_64__
__asm__(".symver pkm_old_hypot, hypot@GLIBC_2.2.5");
double pkm_old_hypot(double x, double y);
double hypot(double x, double y);

__attribute__((visibility("hidden"))) double hypot(double x, double y)
{
    return pkm_old_hypot(x, y);
}
#endif
typedef int pkm_not_empty; // on other systems
