package gpu

import "github.com/gpudocs/gpudocs/internal/report"

// coresPerSM is the number of FP32 units ("CUDA cores") of a streaming multiprocessor, by compute
// capability. Source: _ConvertSMVer2Cores in NVIDIA's cuda-samples, Common/helper_cuda.h; from 5.x
// on also the CUDA C++ Programming Guide, "Compute Capabilities", "Architecture".
var coresPerSM = map[string]int{
	"3.0": 192, "3.2": 192, "3.5": 192, "3.7": 192,
	"5.0": 128, "5.2": 128, "5.3": 128,
	"6.0": 64, "6.1": 128, "6.2": 128,
	"7.0": 64, "7.2": 64, "7.5": 64,
	"8.0": 64, "8.6": 128, "8.7": 128, "8.9": 128,
	"9.0":  128,
	"10.0": 128, "10.1": 128, "10.3": 128,
	"11.0": 128,
	"12.0": 128, "12.1": 128,
}

// completeCores computes SMs from cores or cores from SMs if only one is known and the
// capability is in [coresPerSM].
func completeCores(r *report.Readings, compute string) {
	per, ok := coresPerSM[compute]
	switch {
	case !ok:
	case r.SMs == nil && r.Cores != nil && *r.Cores%per == 0:
		sms := *r.Cores / per
		complete(r, &r.SMs, "sms", sms)
	case r.Cores == nil && r.SMs != nil:
		complete(r, &r.Cores, "cores", *r.SMs*per)
	}
}
