package mygpu

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpudocs/gpudocs/internal/complexitytest"
	"github.com/gpudocs/gpudocs/internal/report"
	"github.com/gpudocs/gpudocs/internal/report/ask"
	"github.com/gpudocs/gpudocs/internal/report/compat"
)

// TestCards checks that every model of GPU has an address of its own and is found by its name, and that the table of models is valid.
func TestCards(t *testing.T) {
	b := open(t)
	var all []struct {
		ID, Title, Found, Named string
	}
	b.call(&all, `gpu.cards.map(function (c) {
		var named = gpu.named("NVIDIA " + c.name + (/Laptop/.test(c.name) ? " GPU" : ""), c.gib * 1000);
		return {id: c.id, title: c.title, found: gpu.find(c.title)[0].id, named: named ? named.id : ""};
	})`)
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.ID] || c.Found != c.ID || c.Named != c.ID {
			t.Errorf("%+v", c)
		}
		seen[c.ID] = true
	}
	count := 0
	for _, row := range compat.Cards() {
		compute, list := row[0], row[1]
		for model := range strings.SplitSeq(list, ", ") {
			if !regexp.MustCompile(`^\S.* [1-9]\d*(/[1-9]\d*)*$`).MatchString(model) || !strings.Contains(compute, ".") {
				t.Errorf("%s: %q", compute, model)
			}
			count += strings.Count(model, "/") + 1
		}
	}
	if len(all) != count {
		t.Errorf("the script has %d cards, of %d", len(all), count)
	}
}

// TestSure: a card is chosen without asking only if the text is the whole name of one model.
func TestSure(t *testing.T) {
	b := open(t)
	for text, want := range map[string]string{
		"rtx 3060": "RTX 3060 (12 GB)", "3060": "RTX 3060 (12 GB)", "a100": "A100 (80 GB)", "tesla t4": "T4 (16 GB)", "K80": "K80 (12 GB)", "titan v": "TITAN V (12 GB)", "mx450": "MX450 (2 GB)",
		"A6000": "RTX A6000 (48 GB)", "orin nano": "Jetson Orin Nano (8 GB)", "m10": "M10 (8 GB)", "rtx 3060 8 GB": "RTX 3060 (8 GB)", "rtx 4060 laptop": "RTX 4060 Laptop (8 GB)",
		"h100 pcie": "H100 (80 GB)", "rtx 4090 d": "RTX 4090 D (24 GB)", "rtx 4090": "RTX 4090 (24 GB)", "rtx pro 6000": "RTX PRO 6000 Blackwell (96 GB)", "dgx spark": "GB10 (128 GB)", "jetson t5000": "Jetson T5000 (128 GB)", "gtx 960": "GTX 960 (2 GB)", "gtx 1060 laptop": "GTX 1060 (6 GB)",
		"orin": "", "thor": "", "jetson": "", "max-q": "", "laptop": "", "server": "", "nvl": "", "pcie": "", "blackwell": "",
		"M1": "", "M2": "", "30": "", "MX": "", "Titan": "", "rtx 30": "", "rtx 1080": "", "6000": "", "rtx": "", "": "", "radeon": "",
	} {
		var got string
		if b.call(&got, `(gpu.find(a).sure || {title: ""}).title`, text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	b := open(t)
	for text, want := range map[string]string{
		"3060": "RTX 3060 (12 GB)", "rtx3060": "RTX 3060 (12 GB)", "rtx3060 12gb": "RTX 3060 (12 GB)", "RTX 3060 8 GB": "RTX 3060 (8 GB)",
		"geforce rtx 3060 laptop": "RTX 3060 Laptop (6 GB)", "NVIDIA GeForce RTX 3060 Laptop GPU": "RTX 3060 Laptop (6 GB)", "3060ti": "RTX 3060 Ti (8 GB)", "rtx 3060 mobile": "RTX 3060 Laptop (6 GB)",
		"a100": "A100 (80 GB)", "A100 40GB": "A100 (40 GB)", "tesla t4": "T4 (16 GB)", "v100": "V100 (16 GB)", "K80": "K80 (12 GB)", "Tesla K80": "K80 (12 GB)",
		"rtx a6000": "RTX A6000 (48 GB)", "rtx 6000 ada": "RTX 6000 Ada (48 GB)", "quadro rtx 6000": "Quadro RTX 6000 (24 GB)", "titan v": "TITAN V (12 GB)",
		"1080 ti": "GTX 1080 Ti (11 GB)", "gtx1650": "GTX 1650 (4 GB)", "4070 super": "RTX 4070 SUPER (12 GB)", "orin nano": "Jetson Orin Nano (8 GB)", "h100 nvl": "H100 NVL (94 GB)", "gh200": "GH200 (96 GB)",
		"h100 pcie": "H100 (80 GB)", "H100-SXM5-80GB": "H100 (80 GB)", "a100 sxm4 64gb": "A100 (64 GB)", "h200 nvl": "H200 (141 GB)", "dgx spark": "GB10 (128 GB)", "Thor": "Jetson AGX Thor (128 GB)", "rtx pro 6000 max-q": "RTX PRO 6000 Blackwell Max-Q (96 GB)",
		"rtx pro 6000 server edition": "RTX PRO 6000 Blackwell Server (96 GB)", "gtx 1650 laptop": "GTX 1650 (4 GB)", "gtx 960 laptop": "", "rtx 3090 laptop": "", "rtx 2050 laptop": "RTX 2050 (4 GB)", "gtx 1050 ti max-q": "GTX 1050 Ti Max-Q (4 GB)", "k40m": "K40 (12 GB)",
		"gtx 960m": "GTX 960M (4 GB)", "rtx 3050 4gb": "RTX 3050 Laptop (4 GB)", "rtx a500": "RTX A500 Laptop (4 GB)", "quadro t2000 mobile": "Quadro T2000 (4 GB)", "mx150": "MX150 (2 GB)", "titan z": "GTX TITAN Z (6 GB)", "jetson orin": "Jetson AGX Orin (64 GB)",
		"30": "A30 (24 GB)", "rtx 30": "RTX 3090 (24 GB)", "": "", "banana": "", "rtx 3060 banana": "", "rtx 12345": "", "()": "", "radeon": "",
	} {
		var got []string
		b.call(&got, "gpu.find(a).map(function (c) { return c.title; })", text)
		if len(got) == 0 {
			got = []string{""}
		}
		if got[0] != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

// TestReaderMachine checks that a machine in an address is the same when it is read again, and that a faulty address names no machine.
func TestReaderMachine(t *testing.T) {
	b := open(t)
	for address, want := range map[string]string{
		"gpu=rtx-3060&driver=535":                        "gpu=rtx-3060&driver=535&os=linux",
		"?x=1&gpu=RTX-3060-12gb&os=windows":              "gpu=rtx-3060&os=windows",
		"gpu=2x-a100-40gb,t4&driver=550.54.14&cuda=12.4": "gpu=2x-a100-40gb,t4&driver=550.54.14&cuda=12.4&os=linux",
		"gpu=rtx-3060~12288%2Ca100~81920~8.1&os=wsl":     "gpu=rtx-3060~12288,a100~81920~8.1&os=wsl",
		"gpu=some-new-card~20480~13.0":                   "gpu=some-new-card~20480~13.0&os=linux",
		"gpu=99x-k80":                                    "gpu=16x-k80&os=linux",
		"gpu=k80," + strings.Repeat("t4,", 400):          "gpu=k80,15x-t4&os=linux",
		"gpu=rtx-3060&driver=535,183":                    "gpu=rtx-3060&driver=535.183&os=linux",
		"gpu=RTX%203060&driver=535":                      "gpu=rtx-3060&driver=535&os=linux",
		"gpu=RTX+3060&os=windows":                        "gpu=rtx-3060&os=windows",
		"gpu=rtx-3060&driver=5350":                       "gpu=rtx-3060&os=linux",
		"gpu=rtx-3060&driver=abc&cuda=x&os=beos":         "gpu=rtx-3060&os=linux",
		"gpu=none":                                       "gpu=none&os=linux",
		"gpu=some-new-card":                              "", "gpu=": "", "": "", "gpu=<b>": "", "driver=535": "", "gpu=%": "", "gpu=k80~~": "",
	} {
		var got string
		b.call(&got, `(function () { var own = gpu.read(a); return own ? gpu.write(own) : ""; })()`, address)
		if got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
		if want == "" {
			continue
		}
		b.call(&got, `gpu.write(gpu.read(a))`, want)
		if got != want {
			t.Errorf("%q becomes %q", want, got)
		}
	}
}

// TestMeets: what a reader's machine does not tell is unknown, with what would have to be true.
func TestMeets(t *testing.T) {
	cases := []struct{ own, needs, want string }{
		{"gpu=rtx-3060&driver=535", "gpus >= 1", "2"},
		{"gpu=none", "gpus == 0", "2"},
		{"gpu=none", "gpus >= 1 and runs torch", "0 gpus >= 1: 0"},
		{"gpu=none", "runs cu130", "0 runs cu130"},
		{"gpu=rtx-3060&driver=535", "", "2"},
		{"gpu=rtx-3060&driver=535", "gpus >= 2", "0 gpus >= 2: 1"},
		{"gpu=rtx-3060&driver=535", "runs cu121", "2"},
		{"gpu=rtx-3060&driver=535", "runs cu130", "0 runs cu130"},
		{"gpu=rtx-3060&driver=535", "driver >= 535", "2"},
		{"gpu=rtx-3060&driver=535", "driver >= 535.129", "varies driver >= 535.129: 535"},
		{"gpu=rtx-3060&driver=535.183.01", "driver >= 535.129", "2"},
		{"gpu=rtx-3060", "driver >= 535.129", "1 driver >= 535.129"},
		{"gpu=rtx-3060", "runs cu124", "1 runs cu124"},
		{"gpu=k80", "runs cu124", "0 runs cu124"},
		{"gpu=k80", "driver >= 580", "0 driver >= 580: ≤ 470"},
		{"gpu=k80&os=windows", "driver >= 475.14", "1 driver >= 475.14"},
		{"gpu=k80&os=wsl", "driver >= 496", "0 driver >= 496: ≤ 470"},
		{"gpu=k80", "driver >= 450.80.02", "1 driver >= 450.80.02"},
		{"gpu=k80", "driver < 535", "2"},
		{"gpu=k80", "driver != 535 and not driver == 535", "2"},
		{"gpu=k80", "cuda >= 12", "0 cuda >= 12: ≤ 11.4"},
		{"gpu=k80", "runs cu118", "1 runs cu118"},
		{"gpu=k80&driver=580", "driver >= 580", "0 driver >= 580: ≤ 470"}, // which there is not
		{"gpu=m10", "driver >= 580", "1 driver >= 580"},
		{"gpu=m10", "driver >= 590 or cuda > 13.0", "0 driver >= 590: ≤ 580"},
		{"gpu=rtx-3060,m10", "driver >= 590", "0 driver >= 590: ≤ 580"},
		{"gpu=h100", "driver >= 590", "1 driver >= 590"},
		{"gpu=h100", "driver >= 520.61.05", "1 driver >= 520.61.05"}, // of that branch it may be an older one
		{"gpu=h100", "driver >= 510 and not driver < 520 and cuda >= 11.8", "2"},
		{"gpu=h100", "driver < 515", "0 driver < 515: ≥ 520"},
		{"gpu=h100", "runs cu118", "2"},
		{"gpu=h100", "runs cu121", "1 runs cu121"},
		{"gpu=rtx-5090", "driver >= 535", "2"},
		{"gpu=rtx-5090&driver=535", "driver >= 535", "2"}, // which does not support it
		{"gpu=rtx-5090&os=wsl", "driver == 535 or cuda < 12", "0 driver == 535: ≥ 570"},
		{"gpu=rtx-5090", "runs cu128", "2"},
		{"gpu=rtx-5090", "runs cu130", "1 runs cu130"},
		{"gpu=rtx-5090,rtx-3060", "driver >= 535", "2"},
		{"gpu=rtx-5090,m10", "driver >= 570", "1 driver >= 570"}, // only the last branch counts
		{"gpu=t4", "driver >= 418", "1 driver >= 418"},
		{"gpu=jetson-agx-orin", "driver >= 450", "1 driver >= 450"},
		{"gpu=jetson-agx-orin,rtx-3060", "driver >= 450", "1 driver >= 450"},
		{"gpu=jetson-tx2", "driver >= 590", "1 driver >= 590"},
		{"gpu=rtx-3060&driver=535", "cuda >= 12.2 and not cuda >= 12.3", "2"},
		{"gpu=rtx-3060&driver=565", "cuda >= 12.7", "varies cuda >= 12.7: 12.6"},
		{"gpu=rtx-3060&driver=581&os=windows", "cuda >= 13.0", "2"},
		{"gpu=rtx-3060&driver=999", "cuda >= 14", "varies cuda >= 14: 13.3"}, // which comes with a driver that the tables do not have
		{"gpu=rtx-3060&driver=565&cuda=12.7", "cuda >= 12.7", "2"},
		{"gpu=rtx-4060", "memory >= 8 GiB", "varies memory >= 8 GiB"},
		{"gpu=rtx-4060~8188", "memory >= 8 GiB", "0 memory >= 8 GiB"},
		{"gpu=rtx-4060", "memory >= 6 GiB", "2"},
		{"gpu=a100", `gpu == "A100*"`, "2"},
		{"gpu=a100", `gpu == "*A100-SXM4-80GB"`, `1 gpu == "*A100-SXM4-80GB"`},
		{"gpu=a100", `gpu == "A10"`, `0 gpu == "A10": A100`},
		{"gpu=v100", `gpu == "Tesla V100*"`, "2"},
		{"gpu=rtx-3060", "os == linux", "2"},
		{"gpu=rtx-3060&os=wsl", "os == windows", `0 os == "windows": linux`},
		{"gpu=rtx-3060&os=windows", "os == linux", `0 os == "linux": windows`},
		{"gpu=rtx-3060", `os == "Debian*"`, `1 os == "Debian*"`},
		{"gpu=jetson-agx-orin", "arch == aarch64", "2"},
		{"gpu=rtx-3060", "machine == deepnine", `0 machine == "deepnine"`},
		{"gpu=rtx-3060", "machine != deepnine", "2"},
		{"gpu=rtx-3060", "gpus >= 1 and torch", "1 torch"},
		{"gpu=rtx-3060", "numba or cupy", "1 numba or cupy"},
		{"gpu=rtx-3060", "gpus >= 1 and (numba or cupy), ram >= 8 GiB", "1 numba or cupy and ram >= 8 GiB"},
		{"gpu=rtx-3060", "not torch", "1 without torch"},
		{"gpu=rtx-3060", "gpus >= 2 or torch >= 2.1", "1 torch >= 2.1"},
		{"gpu=rtx-3060", "gpus >= 2 and torch >= 2.1", "0 gpus >= 2: 1"},
		{"gpu=rtx-3060", `has("cmake") and python("numpy") >= 1.26`, `1 has("cmake") and python("numpy") >= 1.26`},
	}
	var needs []string
	for _, c := range cases {
		needs = append(needs, c.needs)
	}
	b := open(t, needs...)
	for _, c := range cases {
		e, err := ask.Parse(c.needs)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		b.call(&got, `(function () {
			var own = gpu.read(a), j = gpu.meets(b, own);
			function source(of) { return c[gpu.site.comparisons.indexOf(of)]; }
			if (j.answer === gpu.UNKNOWN && !j.varies) return "1 " + gpu.wish(b, gpu.facts(own), {
				say: source, join: function (l, r, or) { return l + (or ? " or " : " and ") + r; }, without: function (w) { return "without " + w; }
			});
			return (j.varies ? "varies" : j.answer) + (j.answer < 2 ? " " + (j.not ? "not " : "") + source(j.c) + (j.found ? ": " + j.found : "") : "");
		})()`, c.own, e.String(), b.sources)
		if got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.needs, c.own, got, c.want)
		}
	}
}

// TestNever: what no driver of a GPU meets is told from what a newer one does.
func TestNever(t *testing.T) {
	b := open(t, "driver >= 580", "driver >= 470", "runs cu130", "cuda >= 13.1", "cuda >= 13.0")
	for _, c := range [][3]string{
		{"gpu=k80&driver=460", "driver >= 580", "470"}, {"gpu=k80&driver=460", "driver >= 470"}, {"gpu=k80&driver=460", "runs cu130", "470"},
		{"gpu=m10&driver=535", "cuda >= 13.1", "580"}, {"gpu=m10&driver=535", "cuda >= 13.0"}, {"gpu=h100&driver=535", "cuda >= 13.1"},
	} {
		var got string
		b.call(&got, `(function () { var own = gpu.read(a); return gpu.unmetByLastBranch(gpu.meets(b, own), own) || ""; })()`, c[0], c[1])
		if got != c[2] {
			t.Errorf("%s on %s: %s, want %s", c[1], c[0], got, c[2])
		}
	}
}

// TestWheel: whether a build of PyTorch for a toolkit runs, which may have less code than the toolkit; of other software the toolkit counts.
func TestWheel(t *testing.T) {
	b := open(t)
	for own, want := range map[string]string{
		"gpu=k80": "cu118? torch cu118? torch cu118 2.3?", "gpu=k80&driver=470": "cu118 torch cu118? torch cu118 2.3", "gpu=k40&driver=470": "cu118", "gpu=m10": "cu118? cu126? torch cu118? torch cu126? torch cu118 2.3?",
		"gpu=rtx-3060&driver=535": "cu118 cu126 torch cu118 torch cu126 torch cu118 2.3 torch cu128 2.11 torch cu129 2.13", "gpu=h100&driver=595": "cu118 cu126 cu132 torch cu118 torch cu126 torch cu132 torch cu118 2.3 torch cu128 2.11 torch cu129 2.13",
		"gpu=h100": "cu118? cu126? cu132? torch cu118? torch cu126? torch cu132? torch cu118 2.3? torch cu128 2.11? torch cu129 2.13?", "gpu=none": "",
		"gpu=rtx-5090&driver=572.83&os=windows": "cu118? cu126? torch cu118? torch cu118 2.3? torch cu128 2.11", "gpu=rtx-5090&driver=572.83&os=wsl": "cu118? cu126? torch cu128 2.11 torch cu129 2.13",
	} {
		got := []string{}
		for _, tag := range []string{"cu118", "cu126", "cu132", "torch cu118", "torch cu126", "torch cu132", "torch cu118 2.3", "torch cu128 2.11", "torch cu129 2.13"} {
			var rank int
			b.call(&rank, "gpu.wheel(gpu.read(a), /cu\\d+/.exec(b)[0], /torch/.test(b), (/ (2.*)/.exec(b) || [])[1])", own, tag)
			if rank > 0 {
				got = append(got, tag+[]string{"", "?", ""}[rank])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", own, got, want)
		}
	}
}

// TestQuery: a machine of the site is read as its report says.
func TestQuery(t *testing.T) {
	b := open(t)
	k80 := report.Device{Name: "Tesla K80", MemoryBytes: 11441 << 20, Compute: "3.7"}
	a100 := report.Device{Name: "NVIDIA A100-SXM4-40GB", MemoryBytes: 40960 << 20, Compute: "8.0"}
	for want, m := range map[string]report.Machine{
		"gpu=none&os=linux": {OS: "Debian GNU/Linux 12"},
		"gpu=2x-tesla-k80~11441~3.7,a100-sxm4-40gb~40960~8.0&driver=460.106.00&cuda=11.2&os=linux": {GPU: report.GPU{Driver: "460.106.00", CUDA: "11.2", Devices: []report.Device{k80, k80, a100}}},
		"gpu=tesla-k80~11441~3.7&os=wsl":     {GPU: report.GPU{Platform: report.PlatformWSL2, Devices: []report.Device{k80}}},
		"gpu=tesla-k80~11441~3.7&os=windows": {OS: "windows", GPU: report.GPU{Devices: []report.Device{k80}}},
		"gpu=x~9.0&os=linux":                 {GPU: report.GPU{Devices: []report.Device{{Name: "X", Compute: "9.0"}}}},
	} {
		var got string
		if b.call(&got, "gpu.write(gpu.read(a))", Query(m)); got != want {
			t.Errorf("%s is %s, want %s", Query(m), got, want)
		}
	}
}

// TestOutside: a GPU needs a driver that knows it.
func TestOutside(t *testing.T) {
	b := open(t)
	for own, want := range map[string]string{
		"gpu=rtx-5090&driver=550": "first 570", "gpu=rtx-5090&driver=570": "", "gpu=rtx-5090&driver=570.65&os=windows": "", "gpu=rtx-5090": "",
		"gpu=rtx-3060&driver=450": "first 455", "gpu=a100&driver=450": "", "gpu=rtx-4090&driver=520.56.06": "", "gpu=k80,a100&driver=470": "", "gpu=k80&driver=535": "last 470",
		"gpu=k80&driver=535&os=windows": "last 470", "gpu=k80&driver=475.14&os=windows": "", "gpu=m10&driver=582.28&os=wsl": "", "gpu=m10&driver=591.44&os=wsl": "last 580", "gpu=gtx-1080&driver=580": "", "gpu=v100&driver=590": "last 580", "gpu=t4&driver=595": "", "gpu=k80&driver=390": "",
		"gpu=jetson-agx-orin&driver=540.4.0": "", "gpu=some-card~8000&driver=535": "",
	} {
		var got string
		b.call(&got, `(function () { var o = gpu.driverProblem(gpu.read(a)); return o ? o.is + " " + o.driver : ""; })()`, own)
		if got != want {
			t.Errorf("%s: %q, want %q", own, got, want)
		}
	}
	var title string
	if b.call(&title, `gpu.title(gpu.paste(a).own)`, "name, compute_cap\n__proto__, 9.0"); title != "__proto__" {
		t.Errorf("the title is %q", title)
	}
}

// TestInstall: the newest build of PyTorch that runs, and a newer one that would with another driver.
func TestInstall(t *testing.T) {
	b := open(t, "runs torch")
	for own, want := range map[string]string{
		"gpu=rtx-3060&driver=535":               `pip install "torch==2.14.*" --index-url https://download.pytorch.org/whl/cu126; later 2.15 cu130 from 580.65.06`,
		"gpu=rtx-3060&driver=595.45.04":         `pip install torch --index-url https://download.pytorch.org/whl/cu132`,
		"gpu=rtx-3060&driver=460.91.03":         `pip install "torch==2.7.*" --index-url https://download.pytorch.org/whl/cu118; later 2.15 cu130 from 580.65.06`,
		"gpu=k80&driver=470.256.02":             `pip install "torch==2.3.*" --index-url https://download.pytorch.org/whl/cu118; last`,
		"gpu=gtx-1080-ti&driver=580.65.06":      `pip install "torch==2.14.*" --index-url https://download.pytorch.org/whl/cu126; last`,
		"gpu=rtx-5090&driver=570.86.15":         `pip install "torch==2.13.*" --index-url https://download.pytorch.org/whl/cu129; later 2.15 cu130 from 580.65.06`,
		"gpu=rtx-3060":                          `pip install torch --index-url https://download.pytorch.org/whl/cu130`,
		"gpu=k40&driver=470.256.02":             `none`,
		"gpu=rtx-3060&driver=418.40.04":         `pip install torch --index-url https://download.pytorch.org/whl/cu130`, // which does not support it
		"gpu=gh200&driver=580.65.06":            `pip install torch --index-url https://download.pytorch.org/whl/cu130`,
		"gpu=jetson-agx-orin&driver=540.4.0":    `none`,
		"gpu=rtx-3060,k80&driver=470.256.02":    `pip install "torch==2.3.*" --index-url https://download.pytorch.org/whl/cu118; last`,
		"gpu=rtx-3060&driver=551.61&os=windows": `pip install "torch==2.14.*" --index-url https://download.pytorch.org/whl/cu126; later 2.15 cu130 from 580`,
	} {
		var got string
		b.call(&got, `(function () {
			var i = gpu.install(gpu.read(a));
			return (i.build ? i.build.command : "none") + (i.later ? "; later " + i.later.version + " " + i.later.tag + " from " + i.later.driver : "") + (i.last ? "; last" : "");
		})()`, own)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", own, got, want)
		}
	}
}

// TestNames: the card of a laptop is never that of the desktop, what is printed behind a model does not hide it, and a board whose driver
// names only its chip is one of several.
func TestNames(t *testing.T) {
	b := open(t)
	for name, want := range map[string]string{
		"NVIDIA GeForce GTX 960M": "GTX 960M (4 GB) 5.0", "GeForce GTX 950M": "GTX 950M (4 GB) 5.0", "Quadro M2000M": "Quadro M2000M (4 GB) 5.0", "Quadro M2000": "Quadro M2000 (4 GB) 5.2", "GeForce GTX 860M": "",
		"GeForce GTX 780M": "GTX 780M (4 GB) 3.0", "GeForce GTX 670MX": "", "GeForce GT 730M": "", "GeForce GTX 1070M": "",
		"NVIDIA GeForce GTX 1050 Ti with Max-Q Design": "GTX 1050 Ti Max-Q (4 GB) 6.1", "NVIDIA GeForce RTX 2080 with Max-Q Design": "RTX 2080 Max-Q (8 GB) 7.5",
		"NVIDIA GeForce RTX 3080 with Max-Q Design": "", "NVIDIA GeForce RTX 3090 Laptop GPU": "", "NVIDIA GeForce RTX 3050 6GB Laptop GPU": "RTX 3050 Laptop (4 GB) 8.6", "NVIDIA GeForce MX150": "MX150 (2 GB) 6.1",
		"Quadro T2000": "Quadro T2000 (4 GB) 7.5", "NVIDIA T1200 Laptop GPU": "T1200 (4 GB) 7.5", "NVIDIA T600 Laptop GPU": "T600 (4 GB) 7.5", "NVIDIA GeForce GTX 1650": "GTX 1650 (4 GB) 7.5", "NVIDIA RTX A500 Laptop GPU": "RTX A500 Laptop (4 GB) 8.6",
		"NVIDIA GeForce RTX 2050": "RTX 2050 (4 GB) 8.6", "NVIDIA RTX 2000 Ada Generation Laptop GPU": "RTX 2000 Ada Laptop (8 GB) 8.9", "NVIDIA RTX 2000E Ada Generation": "RTX 2000E Ada (16 GB) 8.9",
		"NVIDIA RTX PRO 2000 Blackwell Generation Laptop GPU": "RTX PRO 2000 Blackwell Laptop (8 GB) 12.0", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition": "RTX PRO 6000 Blackwell Max-Q (96 GB) 12.0",
		"NVIDIA RTX PRO 6000 Blackwell Workstation Edition": "RTX PRO 6000 Blackwell (96 GB) 12.0", "NVIDIA RTX PRO 6000 Blackwell Server Edition": "RTX PRO 6000 Blackwell Server (96 GB) 12.0",
		"Tesla V100-DGXS-32GB": "V100 (16 GB) 7.0", "GRID V100D-16Q": "V100 (16 GB) 7.0", "Tesla P6": "P6 (16 GB) 6.1", "NVIDIA A10M": "A10M (20 GB) 8.6", "Tesla K20m": "K20 (5 GB) 3.5", "Tesla K20Xm": "K20X (6 GB) 3.5", "Tesla K40c": "K40 (12 GB) 3.5", "GRID K520": "GRID K520 (4 GB) 3.0",
		"NVIDIA TITAN X (Pascal)": "TITAN X Pascal (12 GB) 6.1", "NVIDIA TITAN Xp COLLECTORS EDITION": "TITAN Xp (12 GB) 6.1", "GeForce GTX TITAN X": "GTX TITAN X (12 GB) 5.2", "GeForce GTX TITAN Z": "GTX TITAN Z (6 GB) 3.5", "GeForce GTX TITAN": "GTX TITAN (6 GB) 3.5",
		"NVIDIA L2": "L2 (24 GB) 8.9", "NVIDIA L20": "L20 (48 GB) 8.9", "NVIDIA H200 NVL": "H200 (141 GB) 9.0", "NVIDIA H100 NVL": "H100 NVL (94 GB) 9.0", "NVIDIA H100 PCIe": "H100 (80 GB) 9.0", "NVIDIA GeForce RTX 4090 D": "RTX 4090 D (24 GB) 8.9",
		"Orin (nvgpu)": "", "NVIDIA Thor": "", "Xavier (nvgpu)": "",
	} {
		var got string
		if b.call(&got, `(function () { var c = gpu.named(a); return c ? c.title + " " + c.compute : ""; })()`, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"Orin (nvgpu)": "Jetson Orin 8.7 arm64 4–64", "NVIDIA Thor": "Jetson Thor 11.0 arm64 64–128", "Xavier (nvgpu)": "Jetson Xavier 7.2 arm64 8–64", "NVIDIA GB200": "GB200 (186 GB) 10.0 arm64 186", "NVIDIA GH200 144G HBM3e": "GH200 (96 GB) 9.0 arm64 96",
		"NVIDIA GB10": "GB10 (128 GB) 12.1 arm64 128", "NVIDIA T4G": "T4G (16 GB) 7.5 arm64 16", "Tesla T4": "T4 (16 GB) 7.5 amd64 16", "NVIDIA GeForce GTX 1650": "GTX 1650 (4 GB) 7.5 amd64 4",
	} {
		var got []string
		b.call(&got, `(function () {
			var p = gpu.paste("GPU 0: " + a + " (UUID: GPU-1)"), again = gpu.read(gpu.write(p.own));
			return [p.own, again].map(function (own) {
				var d = own.devices[0];
				return [d.title, d.compute, own.arch, d.card ? d.card.gib : d.sizes].join(" ");
			});
		})()`, name)
		if got[0] != want || got[1] != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestWhy: what to install depends on the system, and the answer says why there is nothing newer, or nothing at all.
func TestWhy(t *testing.T) {
	b := open(t)
	for own, want := range map[string]string{
		"gpu=rtx-5060&driver=572.83&os=windows": "2.11 cu128 ", "gpu=rtx-5060&driver=572.83&os=wsl": "2.13 cu129 ", "gpu=rtx-5060&driver=570.124.06": "2.13 cu129 ", "gpu=rtx-5060&driver=581.15&os=windows": "2.15 cu130 ",
		"gpu=gtx-1080&driver=581.15&os=windows": "2.14 cu126 ", "gpu=gtx-960m&driver=560.94&os=windows": "2.14 cu126 ", "gpu=gtx-960m&driver=471.96&os=windows": "2.7 cu118 ",
		"gpu=k80&driver=470.256.02": "2.3 cu118 cudnn", "gpu=2x-k80&driver=460.91.03": "2.3 cu118 cudnn", "gpu=k40&driver=470.256.02": "none old", "gpu=gtx-680&driver=470.256.02": "none old", "gpu=m2090&driver=390.157": "none old",
		"gpu=jetson-agx-orin&driver=540.4.0&cuda=12.6": "none board", "gpu=orin-nvgpu~8.7&driver=540.4.0&cuda=12.6": "none board", "gpu=jetson-tx2": "none board", "gpu=nvidia-thor~11.0&driver=580.00&cuda=13.0": "2.15 cu130 ",
		"gpu=gb10&driver=580.95.05": "2.15 cu130 ", "gpu=gh200&driver=535.183.01": "2.14 cu126 ", "gpu=gh200&driver=470.256.02": "2.15 cu130 ", "gpu=none": "none ",
	} {
		var got string
		if b.call(&got, `(function () { var i = gpu.install(gpu.read(a)); return (i.build ? i.build.version + " " + i.build.tag : "none") + " " + i.why; })()`, own); got != want {
			t.Errorf("%s: %q, want %q", own, got, want)
		}
	}
}

const table = `C:\> nvidia-smi
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.14              Driver Version: 550.54.14      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA A100-SXM4-40GB          On  |   00000000:07:00.0 Off |                    0 |
| N/A   30C    P0              43W / 400W |       0MiB / 40960MiB  |      0%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA A100-SXM4-40GB          On  |   00000000:0A:00.0 Off |                    0 |
| N/A   30C    P0              43W / 400W |       5MiB / 40960MiB  |      0%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|  GPU   GI   CI        PID   Type   Process name                              GPU Memory |
|    0   N/A  N/A      1234      C   python                                       5MiB / 7MiB |
+-----------------------------------------------------------------------------------------+
`

// TestPaste reads what NVIDIA's program prints, in its forms and versions.
func TestPaste(t *testing.T) {
	b := open(t)
	linux := strings.TrimPrefix(table, "C:\\> nvidia-smi\n")
	old := `| NVIDIA-SMI 460.91.03    Driver Version: 460.91.03    CUDA Version: 11.2     |
|   0  GeForce RTX 208...  Off  | 00000000:17:00.0 Off |                  N/A |
| 27%   33C    P8     1W / 250W |      0MiB / 11019MiB |      0%      Default |
`
	mig := strings.Replace(linux, "| Processes:", `| MIG devices:                                                                            |
|  0    7   0   0  |      12MiB /  9728MiB  | 14      0 |  1   0    0    0    0 |
|  0    8   0   1  |      12MiB /  4864MiB  | 14      0 |  1   0    0    0    0 |
| Processes:`, 1)
	for _, c := range []struct{ name, text, want string }{
		{"table", linux, "gpu=2x-a100-40gb~40960&driver=550.54.14&cuda=12.4&os=linux"},
		{"lines of Windows", strings.ReplaceAll(linux, "\n", "\r\n"), "gpu=2x-a100-40gb~40960&driver=550.54.14&cuda=12.4&os=linux"},
		{"Windows", strings.NewReplacer("  On  |", " WDDM |", "A100-SXM4-40GB", "GeForce RTX 3060", "40960", "12288").Replace(linux), "gpu=2x-rtx-3060~12288&driver=550.54.14&cuda=12.4&os=windows"},
		{"WSL", strings.Replace(linux, "Driver Version: 550.54.14", "Driver Version: 551.61   ", 1), "gpu=2x-a100-40gb~40960&driver=551.61&cuda=12.4&os=wsl"},
		{"of later versions", strings.NewReplacer("Driver Version:", "KMD Version:", "CUDA Version:", "CUDA UMD Version:").Replace(linux), "gpu=2x-a100-40gb~40960&driver=550.54.14&cuda=12.4&os=linux"},
		{"a name that is cut", old, "gpu=rtx-2080-ti~11019&driver=460.91.03&cuda=11.2&os=linux"},
		{"MIG", mig, "mig gpu=a100-40gb~9728,a100-40gb~40960&driver=550.54.14&cuda=12.4&os=linux"},
		{"-L", "GPU 0: NVIDIA GeForce RTX 3060 Laptop GPU (UUID: GPU-12345678-aaaa)\nGPU 1: Tesla T4 (UUID: GPU-2)\n", "gpu=rtx-3060-laptop,t4&os=linux"},
		{"-L with sizes", "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\nGPU 1: Tesla V100-SXM2-32GB (UUID: GPU-2)\nGPU 2: Tesla V100-PCIE-16GB (UUID: GPU-3)\n", "gpu=a100-40gb,v100-32gb,v100&os=linux"},
		{"-L with MIG", "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n  MIG 1g.10gb     Device  0: (UUID: MIG-1)\n", "mig gpu=h100~10240&os=linux"},
		{"CSV", "name, memory.total [MiB], driver_version, compute_cap\nNVIDIA GeForce RTX 4090, 24564 MiB, 550.54.14, 8.9\n", "gpu=rtx-4090~24564&driver=550.54.14&os=linux"},
		{"CSV without a head", "NVIDIA GeForce RTX 4090, 550.54.14, 24564 MiB\n", "gpu=rtx-4090~24564&driver=550.54.14&os=linux"},
		{"CSV without units", "index, name, memory.total [MiB]\n0, Quadro P2000, 5059\n", "gpu=quadro-p2000~5059&os=linux"},
		{"a new card, with its capability", "name, compute_cap, memory.total [MiB]\nNVIDIA Future 9000, 13.0, 65536 MiB", "gpu=nvidia-future-9000~65536~13.0&os=linux"},
		{"a new card", "GPU 0: NVIDIA Future 9000 (UUID: GPU-1)", "unknown NVIDIA Future 9000"},
		{"-q", "Driver Version                            : 535.183.01\nCUDA Version                              : 12.2\nAttached GPUs                             : 1\nGPU 00000000:01:00.0\n    Product Name                          : Tesla V100-SXM2-16GB\n" +
			"    MIG Mode\n        Current                           : N/A\n    FB Memory Usage\n        Total                             : 16384 MiB\n        Reserved                          : 2 MiB\n    BAR1 Memory Usage\n        Total                             : 256 MiB\n",
			"gpu=v100~16384&driver=535.183.01&cuda=12.2&os=linux"},
		{"a Jetson", "| NVIDIA-SMI 540.4.0                Driver Version: 540.4.0      CUDA Version: 12.6     |\n|   0  Orin (nvgpu)                  N/A  | N/A              N/A |                  N/A |\n| N/A   N/A  N/A               N/A /  N/A | Not Supported        |     N/A          N/A |\n", "gpu=orin-nvgpu~8.7&driver=540.4.0&cuda=12.6&os=linux"},
		{"prose", "my computer has a very nice card, 12 MiB", "none"},
		{"nothing", "", "none"},
	} {
		var got string
		b.call(&got, `(function () {
			var p = gpu.paste(a);
			if (p.unknown.length) return "unknown " + p.unknown.join(", ");
			return (p.mig ? "mig " : "") + (p.own ? gpu.write(p.own) : "none");
		})()`, c.text)
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestHostile: what is pasted or in an address is read in time linear in its length, and within bounds.
func TestHostile(t *testing.T) {
	b := open(t)
	for name, of := range map[string]string{
		"rows": "|   0  NVIDIA A100-SXM4-40GB          On  |   00000000:07:00.0 Off |                    0 |\n", "blanks": "| 0 " + strings.Repeat(" ", 300),
		"digits": "1234567890", "pipes": "|", "list": "GPU 0: x (UUID: ", "colons": "Driver Version: ", "csv": "name, ", "q": "    Product Name : ",
	} {
		complexitytest.Check(t, name, 20_000, func(n int) {
			var got any
			b.call(&got, "[gpu.paste(a), gpu.read('gpu=' + a), gpu.find(a).length]", strings.Repeat(of, 1+n/len(of)))
		})
	}
	var n int
	b.call(&n, "gpu.paste(a).own.devices.length", strings.Repeat("GPU 0: Tesla T4 (UUID: GPU-2)\n", 5000))
	if n != 16 {
		t.Errorf("%d GPUs", n)
	}
}

func FuzzPaste(f *testing.F) {
	f.Add(table)
	f.Add("name, memory.total [MiB]\nTesla T4, 15360 MiB")
	b := open(f)
	f.Fuzz(func(t *testing.T, text string) {
		b.TB = t
		var first, again string
		b.call(&first, `(function () { var own = gpu.paste(a).own; return own ? gpu.write(own) : ""; })()`, text)
		if first == "" {
			return
		}
		b.call(&again, `(function () { var own = gpu.read(a); return own ? gpu.write(own) : ""; })()`, first)
		if d := cmp.Diff(first, again); d != "" && again != "" { // a GPU of which nothing is known is not kept
			t.Errorf("%q (-pasted +read)\n%s", text, d)
		}
	})
}

// TestDriver: what readers write as a driver is read as one, or asked about.
func TestDriver(t *testing.T) {
	b := open(t)
	for text, want := range map[string]string{
		"": "", "535": "535", "535.183.01": "535.183.01", "535,183": "535.183", "535 183": "535.183", "v535": "535", "R535": "535", "r535": "535", "driver 535": "535", "Driver: 535.86": "535.86",
		"535.183.01-open": "535.183.01", "550.54.14-grid": "550.54.14", "535-server": "535", "NVIDIA 535": "535", "nvidia-driver-535": "535", "versión 535": "535", "535.183.01 (open)": "535.183.01",
		"12.2": "? CUDA 12.2", "12": "? CUDA 12.0", "CUDA 12.4": "? CUDA 12.4", "cuda12.4": "? CUDA 12.4", "v12.2": "? CUDA 12.2", "12,2": "? CUDA 12.2", "12.2.140": "? CUDA 12.2", "toolkit 11.8": "? CUDA 11.8", "CUDA-12.4": "? CUDA 12.4",
		"abc": "?", "5350": "?", "535183": "?", "x86_64": "?", "sm_86": "?", "RTX 3060": "?", "-": "?", "53": "? CUDA 53.0", "535.x": "?", "<b>": "?",
	} {
		var got string
		b.call(&got, `(function () { var is = gpu.readDriver(a); return is.driver || (is.odd ? "?" : "") + (is.cuda ? " CUDA " + is.cuda : ""); })()`, text)
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for cuda, want := range map[string]string{"12.2": "535.54.03 536.25", "11.0": "450.51.05 451.48", "13.0": "580.65.06 580", "13.1": "590.44.01 ", "12.7": " ", "9.9": " "} {
		var got string
		if b.call(&got, `(gpu.driverOf({os: "linux"}, a) || "") + " " + (gpu.driverOf({os: "wsl"}, a) || "")`, cuda); got != want {
			t.Errorf("CUDA %s comes with %q, want %q", cuda, got, want)
		}
	}
	for text, want := range map[string]string{
		"RTX 3060, driver 535": "RTX 3060|535", "RTX 3060 driver: 535.183.01": "RTX 3060|535.183.01", "RTX 3060 CUDA 12.2": "RTX 3060|CUDA 12.2", "rtx 3060 driver abc": "rtx 3060|driver abc", "driver 535 RTX 3060": "RTX 3060|535",
		"RTX 3060": "RTX 3060|", "A100 40 GB": "A100 40 GB|",
	} {
		var got string
		if b.call(&got, `(function () { var s = gpu.splitDriver(a); return s.text + "|" + s.driver; })()`, text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"535": true, "535.183.01": true, "12.2": true, "driver 535": true, "3060": false, "RTX 3060": false, "980": false, "30": false, "abc": false, "": false} {
		var got bool
		if b.call(&got, "gpu.isDriver(a)", text); got != want {
			t.Errorf("%q is a driver: %v", text, got)
		}
	}
}

// TestCompiled: what nvcc compiles needs a driver for the toolkit. Readers may have another toolkit, so it is never no.
func TestCompiled(t *testing.T) {
	b := open(t)
	for _, c := range [][3]string{
		{"gpu=rtx-3060&driver=535", "gpus >= 1 [nvcc cu130]", "1 toolkit this driver (535, CUDA 12.2) cannot run cu130: it needs >= 580.65.06"},
		{"gpu=rtx-3060&driver=580.65.06", "gpus >= 1 [nvcc cu130]", "2"},
		{"gpu=rtx-3060", "gpus >= 1 [nvcc cu130]", "1"},
		{"gpu=none", "gpus >= 1 [nvcc cu130]", "0"},
		{"gpu=k80&driver=470", " [nvcc cu130]", "1 toolkit K80 (compute capability 3.7) cannot run cu130, which has code for 7.5-12.1"},
		{"gpu=rtx-3060&driver=535", " [nvcc cu]", "1 toolkit"},
		{"gpu=rtx-3060&driver=595", " [nvcc cu]", "1 toolkit"},
	} {
		var got string
		b.call(&got, `(function () {
			var j = gpu.meets(b, gpu.read(a));
			return j.answer + (j.toolkit ? " toolkit" + (j.why ? " " + j.why : "") : "");
		})()`, c[0], c[1])
		if got != c[2] {
			t.Errorf("%s on %s: %q, want %q", c[1], c[0], got, c[2])
		}
	}
}
