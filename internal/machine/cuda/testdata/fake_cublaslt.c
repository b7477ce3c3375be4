/* The libcublasLt.so.N that the fake libcublas.so.N is linked with. */
__attribute__((visibility("default"))) int fake_cublas_lt(void) { return MAJOR; }
