package kernels

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/test/programtest"
)

// architectures are those whose machine code is checked: one for each kind of SM.
var architectures = []int{50, 61, 70, 75, 80, 86, 89, 90}

// TestSASS checks the machine code of ptxas, which is the same compiler as the driver's: no
// register is spilled to memory, two blocks fit on an SM, and the inner loop consists of the
// expected instructions. It needs a CUDA toolkit.
func TestSASS(t *testing.T) {
	t.Parallel()
	programtest.Need(t, "ptxas", "cuobjdump", "nvdisasm")
	for _, k := range All() {
		for _, architecture := range architectures {
			if architecture < k.MinCompute || k.MinCompute < 80 && architecture >= 80 { // never chosen
				continue
			}
			t.Run(fmt.Sprintf("%s on %d", k.Name, architecture), func(t *testing.T) {
				t.Parallel()
				checkSASS(t, k, architecture)
			})
		}
	}
}

func checkSASS(t *testing.T, k Kernel, architecture int) {
	cubin, registers := assemble(t, k, architecture)
	if limit := min(255, 65536/2/int(k.Threads)); registers > limit {
		t.Errorf("%d registers, but two blocks fit on an SM only with %d", registers, limit)
	}
	code, err := exec.Command("cuobjdump", "-sass", "-fun", k.Name, cubin).Output()
	if err != nil {
		t.Fatal(err)
	}
	loop := innerLoop(string(code))
	count := func(of string) (n int) {
		for _, i := range loop {
			if strings.HasPrefix(i, of) {
				n++
			}
		}
		return n
	}
	switch {
	case strings.HasPrefix(k.Name, "sgemm_any"):
	case k.DType == "fp32":
		// 8 x 8 elements, 8 deep: 512 FFMA and 32 LDS.128, and the instructions that move the
		// tiles.
		ffma, share := count("FFMA"), float64(count("FFMA"))/float64(len(loop))
		t.Logf("%d registers, %d of %d instructions of the loop are FFMA: %.1f %%", registers, ffma, len(loop), 100*share)
		if ffma != 512 || count("LDS.128")+count("LDS.U.128") != 32 || share < 0.85 {
			t.Errorf("inner loop:\n%s", strings.Join(loop, "\n"))
		}
	default:
		mma := count("HMMA")
		t.Logf("%d registers, %d of %d instructions of the loop are HMMA", registers, mma, len(loop))
		// With wmma a loop does half a tile; 7.0 has 16 instructions for m16n16k16, 7.5 four.
		want := 64
		switch architecture {
		case 70:
			want = 128
		case 75:
			want = 32
		}
		if mma != want || len(loop) > 6*mma {
			t.Errorf("inner loop:\n%s", strings.Join(loop, "\n"))
		}
	}
}

// assemble compiles a kernel to machine code and returns its file and the number of registers
// of a thread.
func assemble(t *testing.T, k Kernel, architecture int) (cubin string, registers int) {
	t.Helper()
	dir := t.TempDir()
	text := filepath.Join(dir, "k.ptx")
	if err := os.WriteFile(text, k.PTX(), 0o644); err != nil {
		t.Fatal(err)
	}
	cubin = filepath.Join(dir, "k.cubin")
	out, err := exec.Command("ptxas", "-v", fmt.Sprintf("-arch=sm_%d", architecture), "-o", cubin, text).CombinedOutput()
	if strings.Contains(string(out), "is not defined for option") {
		t.Skipf("this ptxas makes nothing for compute capability %d", architecture)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, about, _ := strings.Cut(string(out), "Function properties for "+k.Name+"\n")
	if !strings.Contains(about, "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads") || strings.Index(about, "0 bytes stack frame, 0 bytes") > 10 {
		t.Errorf("registers are spilled:\n%s", out)
	}
	found := regexp.MustCompile(`Used (\d+) registers`).FindStringSubmatch(about)
	if found == nil {
		t.Fatalf("ptxas reports no registers:\n%s", out)
	}
	registers, err = strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return cubin, registers
}

var (
	instruction = regexp.MustCompile(`(?m)^\s+/\*([0-9a-f]{4,})\*/\s+(?:\{\s*)?(?:@!?U?P\w+\s+)?([A-Z][^;}]*?)\s*[;}]`)
	branch      = regexp.MustCompile(`^BRA\b.*?0x([0-9a-f]+)`)
)

// innerLoop returns the instructions of the loop with the most FFMA or HMMA.
func innerLoop(sass string) []string {
	all := instruction.FindAllStringSubmatch(sass, -1)
	at := map[int64]int{} // address to number
	for n, i := range all {
		address, _ := strconv.ParseInt(i[1], 16, 64)
		at[address] = n
	}
	var loop []string
	most := 0
	for n, i := range all {
		to := branch.FindStringSubmatch(i[2])
		if to == nil {
			continue
		}
		address, _ := strconv.ParseInt(to[1], 16, 64)
		from, ok := at[address]
		if !ok || from > n {
			continue
		}
		var body []string
		work := 0
		for _, i := range all[from : n+1] {
			body = append(body, i[2])
			if strings.HasPrefix(i[2], "FFMA") || strings.HasPrefix(i[2], "HMMA") {
				work++
			}
		}
		if work > most {
			most, loop = work, body
		}
	}
	return loop
}
