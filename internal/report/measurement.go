package report

import "fmt"

// A Measurement is the result of a line of a gpu block that measures, for each GPU.
type Measurement struct {
	// What is "matmul", "bandwidth", "host-to-device", "device-to-host" or "peer".
	What string `json:"what"`
	// N and DType are a matmul's: of two N x N matrices of "fp32", "tf32",
	// "fp16" or "bf16".
	N     int    `json:"n,omitempty"`
	DType string `json:"dtype,omitempty"`
	// Unit is the unit of every Rate: "TFLOP/s" (10^12 floating-point operations a
	// second, 2 N^3 for a matmul) or "GB/s" (10^9 bytes a second; a copy within the
	// device's memory counts both reads and writes).
	Unit string     `json:"unit"`
	GPUs []Measured `json:"gpus" max:"1024"`
	// CPU is the same work done by the CPU, in reports of earlier versions.
	CPU *MeasuredCPU `json:"cpu,omitempty"`
}

// Measured is the result of one GPU. Either Rate is set or Why.
type Measured struct {
	// Device is the place of the GPU in the machine's devices, from 0.
	Device int `json:"device"`
	// Why is one of the Why codes, Detail the driver's message.
	Why    string `json:"why,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Backend is the library that was measured: "cuBLAS 12.8.4", "gpudocs PTX".
	Backend string `json:"backend,omitempty"`
	// Runs is the number of timed runs, after warming up. Median, Min and P90 are of
	// their times in milliseconds, from the GPU's own events.
	Runs   int     `json:"runs,omitempty"`
	Median float64 `json:"median_ms,omitempty"`
	Min    float64 `json:"min_ms,omitempty"`
	P90    float64 `json:"p90_ms,omitempty"`
	// Rate is computed from the median, in the Measurement's unit.
	Rate float64 `json:"rate,omitempty"`
	// Returned is the time until the call returned, and Waited the time until its
	// result was available, in milliseconds by the CPU's clock. Programs that time
	// without synchronizing measure the first.
	Returned float64 `json:"returned_ms,omitempty"`
	Waited   float64 `json:"waited_ms,omitempty"`
	// MaxError is the largest error of the elements that were compared with sums in
	// float64, relative to the sum of the magnitudes of their terms. Tolerance is the
	// limit for the type. Wrong means that MaxError is larger, or not a number.
	MaxError  float64 `json:"max_error,omitempty"`
	Tolerance float64 `json:"tolerance,omitempty"`
	Wrong     bool    `json:"wrong,omitempty"`
	// Clock is the median SM clock in MHz while it ran, PowerDraw the median power
	// in watts, Throttle the reasons that were seen for low clocks.
	Clock     int      `json:"clock_mhz,omitempty"`
	PowerDraw float64  `json:"power_w,omitempty"`
	Throttle  []string `json:"throttle,omitempty" max:"64"`
	// Peak is the highest possible rate at Clock, in the Measurement's unit, or 0 if
	// unknown.
	Peak float64 `json:"peak,omitempty"`
	// Peers are the copies to the other GPUs. The slowest one is the result above.
	Peers []Peer `json:"peers,omitempty" max:"1024"`
}

// A Peer is a copy to another GPU.
type Peer struct {
	// Device is the place of the other GPU in the machine's devices.
	Device int     `json:"device"`
	Rate   float64 `json:"rate"`
	// Direct means that the GPU wrote to the other's memory itself. If not, the copy went through
	// memory of the host.
	Direct bool `json:"direct"`
	// Wrong means that bytes arrived changed.
	Wrong bool `json:"wrong,omitempty"`
}

// To names the two GPUs of a copy, in any language.
func (g Measured) To(p Peer) string { return fmt.Sprintf("GPU %d → GPU %d", g.Device, p.Device) }

// Route returns "direct" or "host", with "-wrong" if wrong bytes arrived.
func (p Peer) Route() string {
	route := "host"
	if p.Direct {
		route = "direct"
	}
	if p.Wrong {
		route += "-wrong"
	}
	return route
}

// MeasuredCPU is the same matmul on the CPU, in FP32 whatever the type on the GPU.
// Either Rate is set or Why.
type MeasuredCPU struct {
	// Why is one of the Why codes, Detail its explanation.
	Why    string `json:"why,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Library is the BLAS that was used, "OpenBLAS 0.3.21", Threads its number of threads.
	Library string `json:"library,omitempty"`
	Threads int    `json:"threads,omitempty"`
	// N is the size of its matrices, which is smaller than the Measurement's if that
	// would take too long.
	N int `json:"n,omitempty"`
	// Runs is the number of timed runs, Median the median of their times in milliseconds,
	// and Rate the rate from the median, in TFLOP/s.
	Runs   int     `json:"runs,omitempty"`
	Median float64 `json:"median_ms,omitempty"`
	Rate   float64 `json:"rate,omitempty"`
}
