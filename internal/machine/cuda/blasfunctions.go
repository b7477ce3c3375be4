package cuda

import "fmt"

// A Status is what a function of cuBLAS returns: a cublasStatus_t. It is an
// error, so that errors.Is tells what a [BLASError] is about.
type Status int32

// https://docs.nvidia.com/cuda/cublas/#cublasstatus-t
const (
	BLASNotInitialized  Status = 1 // CUDA does not work, or an earlier error came up
	BLASAllocFailed     Status = 3 // no memory
	BLASInvalidValue    Status = 7
	BLASArchMismatch    Status = 8 // the device is too old
	BLASMappingError    Status = 11
	BLASExecutionFailed Status = 13
	BLASInternalError   Status = 14
	BLASNotSupported    Status = 15
	BLASLicenseError    Status = 16

	// statusMissing is ours: the library lacks the function.
	statusMissing Status = -1
)

var statusNames = map[Status]string{
	BLASNotInitialized:  "CUBLAS_STATUS_NOT_INITIALIZED",
	BLASAllocFailed:     "CUBLAS_STATUS_ALLOC_FAILED",
	BLASInvalidValue:    "CUBLAS_STATUS_INVALID_VALUE",
	BLASArchMismatch:    "CUBLAS_STATUS_ARCH_MISMATCH",
	BLASMappingError:    "CUBLAS_STATUS_MAPPING_ERROR",
	BLASExecutionFailed: "CUBLAS_STATUS_EXECUTION_FAILED",
	BLASInternalError:   "CUBLAS_STATUS_INTERNAL_ERROR",
	BLASNotSupported:    "CUBLAS_STATUS_NOT_SUPPORTED",
	BLASLicenseError:    "CUBLAS_STATUS_LICENSE_ERROR",
	statusMissing:       "the library lacks the function",
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

// Unwrap gives the status, for errors.Is.
func (e *BLASError) Unwrap() error { return e.Status }

func (b *BLAS) failed(call string, s Status) error {
	if s == 0 {
		return nil
	}
	return &BLASError{call, s}
}

// Values that cublasGemmEx is given: cublas_api.h and library_types.h, and
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

// blasFunctions are those of cuBLAS that we call. Their pointer mode is the
// host's, so that the factors are read before a call returns.
type blasFunctions struct {
	getProperty  func(property int32, value *int32) Status
	create       func(*handle) Status
	destroy      func(handle) Status
	setWorkspace func(h handle, memory, bytes uint64) Status
	gemmEx       func(h handle, opA, opB, m, n, k int32,
		alpha *float32, a uint64, aType, lda int32, b uint64, bType, ldb int32,
		beta *float32, c uint64, cType, ldc, compute, algo int32) Status
}

func (f *blasFunctions) table() []function {
	return []function{
		{&f.getProperty, []string{"cublasGetProperty"}},
		{&f.create, []string{"cublasCreate_v2"}},
		{&f.destroy, []string{"cublasDestroy_v2"}},
		{&f.setWorkspace, []string{"cublasSetWorkspace_v2"}},
		{&f.gemmEx, []string{"cublasGemmEx"}},
	}
}

// version asks for MAJOR_VERSION, MINOR_VERSION and PATCH_LEVEL, which needs no
// handle, and is empty if the library does not say.
func (f *blasFunctions) version() string {
	var n [3]int32
	for i := range n {
		if f.getProperty(int32(i), &n[i]) != 0 {
			return ""
		}
	}
	return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2])
}
