package cuda

import "fmt"

// A Status is the return value of a function of cuBLAS, a cublasStatus_t. It is an error, so
// that errors.Is(err, BLASNotSupported) can be used for a [BLASError].
type Status int32

// Statuses that gpudocs distinguishes: https://docs.nvidia.com/cuda/cublas/#cublasstatus-t
const (
	BLASAllocFailed  Status = 3
	BLASNotSupported Status = 15

	// missingFunction is not of cuBLAS: the library does not have the function.
	missingFunction Status = -1
)

var statusNames = map[Status]string{
	1:                "CUBLAS_STATUS_NOT_INITIALIZED",
	BLASAllocFailed:  "CUBLAS_STATUS_ALLOC_FAILED",
	7:                "CUBLAS_STATUS_INVALID_VALUE",
	8:                "CUBLAS_STATUS_ARCH_MISMATCH",
	11:               "CUBLAS_STATUS_MAPPING_ERROR",
	13:               "CUBLAS_STATUS_EXECUTION_FAILED",
	14:               "CUBLAS_STATUS_INTERNAL_ERROR",
	BLASNotSupported: "CUBLAS_STATUS_NOT_SUPPORTED",
	16:               "CUBLAS_STATUS_LICENSE_ERROR",
	missingFunction:  "the library lacks the function",
}

func (s Status) Error() string {
	if name, ok := statusNames[s]; ok {
		return name
	}
	return fmt.Sprintf("cuBLAS error %d", int32(s))
}

// A BLASError is a call of cuBLAS that failed.
type BLASError struct {
	Call   string
	Status Status
}

func (e *BLASError) Error() string { return e.Call + ": " + e.Status.Error() }

// Unwrap returns the status, for errors.Is.
func (e *BLASError) Unwrap() error { return e.Status }

func (b *BLAS) failed(call string, s Status) error {
	if s == 0 {
		return nil
	}
	return &BLASError{call, s}
}

// Arguments of cublasGemmEx: cublas_api.h and library_types.h, and
// https://docs.nvidia.com/cuda/cublas/#cublascomputetype-t, #cudadatatype-t,
// #cublasgemmalgo-t.
const (
	opN = 0 // CUBLAS_OP_N

	cudaR32F  = 0  // CUDA_R_32F
	cudaR16F  = 2  // CUDA_R_16F
	cudaR16BF = 14 // CUDA_R_16BF

	compute32F         = 68 // CUBLAS_COMPUTE_32F
	compute32FFastTF32 = 77 // CUBLAS_COMPUTE_32F_FAST_TF32

	gemmDefault         = -1 // CUBLAS_GEMM_DEFAULT
	gemmDefaultTensorOp = 99 // CUBLAS_GEMM_DEFAULT_TENSOR_OP, the same since Ampere
)

// blasFunctions are the functions of cuBLAS that are called; see [library.bind]. Factors are
// in host memory, the default, so they are read before a call returns.
type blasFunctions struct {
	GetProperty  func(property int32, value *int32) Status          `c:"cublasGetProperty"`
	Create       func(*handle) Status                               `c:"cublasCreate_v2"`
	Destroy      func(handle) Status                                `c:"cublasDestroy_v2"`
	SetWorkspace func(h handle, memory uint64, bytes uint64) Status `c:"cublasSetWorkspace_v2"`

	GemmEx func(h handle, opA, opB, m, n, k int32,
		alpha *float32, a uint64, aType, lda int32, b uint64, bType, ldb int32,
		beta *float32, c uint64, cType, ldc, compute, algo int32) Status `c:"cublasGemmEx"`
}

// version returns the properties MAJOR_VERSION, MINOR_VERSION and PATCH_LEVEL, or "" if the
// library does not report them. It needs no handle.
func (f *blasFunctions) version() string {
	var n [3]int32
	for i := range n {
		if f.GetProperty(int32(i), &n[i]) != 0 {
			return ""
		}
	}
	return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2])
}
