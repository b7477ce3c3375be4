package kernels

// clang 19 makes the PTX, on any system. The version of PTX is the oldest that
// has the instructions, so that old drivers take it: 6.0 is that of CUDA 9.0, 6.3
// of 10.0, 7.0 of 11.0 (drivers 384, 410 and 450),
// https://docs.nvidia.com/cuda/parallel-thread-execution/#release-notes.

//go:generate -command ptx sh src/ptx.sh
//go:generate ptx 50 60 src/sgemm.c ptx/sgemm_sm50.ptx
//go:generate ptx 80 70 src/sgemm.c ptx/sgemm_sm80.ptx
//go:generate ptx 70 63 src/wmma.c ptx/gemm_fp16_sm70.ptx
//go:generate ptx 80 70 src/tensor.c ptx/gemm_fp16_sm80.ptx -DFP16
//go:generate ptx 80 70 src/tensor.c ptx/gemm_bf16_sm80.ptx -DBF16
//go:generate ptx 80 70 src/tensor.c ptx/gemm_tf32_sm80.ptx -DTF32
