package kernels

// clang 19 of any Linux makes the PTX; no CUDA toolkit is needed. The PTX version
// is the oldest that has the instructions, for old drivers: 6.0 is that of CUDA
// 9.0 (driver 384), 7.0 that of CUDA 11.0 (driver 450),
// https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes.

//go:generate -command ptx clang-19 -x cuda -nocudainc -nocudalib --cuda-device-only -O3 -Wall -Werror -S
//go:generate ptx --cuda-gpu-arch=sm_50 --cuda-feature=+ptx60 -DCAPABILITY=50 -o ptx/sgemm_sm50.ptx src/sgemm.c
//go:generate ptx --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -DCAPABILITY=80 -o ptx/sgemm_sm80.ptx src/sgemm.c
