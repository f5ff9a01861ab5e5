// Which build of the core this processor can run; kept apart, so that no other is loaded to find out.
#include <nanobind/nanobind.h>

namespace {

const char* instructions() {
#ifdef CORE_HAS_AVX2  // the build has it: GCC or Clang on x86-64
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
#endif
    return "baseline";
}

}  // namespace

NB_MODULE(processor, module) { module.def("instructions", &instructions, "The widest set of instructions."); }
