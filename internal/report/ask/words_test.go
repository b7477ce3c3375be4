package ask

import (
	"testing"

	"github.com/gpudocs/gpudocs/internal/text"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ source, en, pt string }{
		{"gpus >= 1", "a GPU", "GPU"},
		{"gpus > 1", "2 GPUs", "2 GPUs"},
		{"gpus != 0", "a GPU", "GPU"},
		{"gpus == 2", "exactly 2 GPUs", "exatamente 2 GPUs"},
		{"gpus < 3", "at most 2 GPUs", "no máximo 2 GPUs"},
		{"gpus >= 0", "any number of gpus", "qualquer número de gpus"},
		{"gpus == 0", "-a GPU", "-GPU"},
		{"not gpus >= 1", "-a GPU", "-GPU"},
		{`gpus >= 1 and torch`, "a GPU and PyTorch", "GPU e PyTorch"},
		{"gpus >= 1, memory >= 2 GiB, compute >= 5.0", "a GPU, 2 GiB of GPU memory and compute capability 5.0 or higher", "GPU, 2 GiB de memória de GPU e capacidade de computação 5.0 ou superior"},
		{"gpus >= 1 and runs torch", "a GPU and PyTorch with CUDA", "GPU e PyTorch com CUDA"},
		{"runs cu121", "support for CUDA 12.1", "suporte a CUDA 12.1"},
		{"not runs cu121", "-support for CUDA 12.1", "-suporte a CUDA 12.1"},
		{"driver >= 550.54 and not torch", "driver 550.54 or higher, without PyTorch", "driver 550.54 ou superior, sem PyTorch"},
		{"not (torch or jax)", "-PyTorch or JAX", "-PyTorch nem JAX"},
		{"not (torch and jax)", "without PyTorch or without JAX", "sem PyTorch ou sem JAX"},
		{"not driver >= 550", "driver below 550", "driver abaixo de 550"},
		{"not (cuda < 12.4 or cuda == 13)", "CUDA 12.4 or higher and CUDA other than 13", "CUDA 12.4 ou superior e CUDA diferente de 13"},
		{"torch > 2 or jax <= 0.4", "PyTorch above 2 or JAX 0.4 or lower", "PyTorch acima de 2 ou JAX 0.4 ou inferior"},
		{"slurm >= 20.11", "Slurm 20.11 or higher", "Slurm 20.11 ou superior"},
		{`has("cmake") and module("cuda/12") and env("torch")`, "the program cmake, the module cuda/12 and the environment torch", "cmake instalado, módulo cuda/12 e ambiente torch"},
		{`not module("cuda/12")`, "-the module cuda/12", "-módulo cuda/12"},
		{`python("numpy") >= 1.26, python >= 3.9, nvcc`, "numpy 1.26 or higher, Python 3.9 or higher and nvcc", "numpy 1.26 ou superior, Python 3.9 ou superior e nvcc"},
		{`gpu == "*A100*" and os != "Debian*" and arch == arm64 and machine == deepten`, "GPU A100, system other than Debian, processor arm64 and machine deepten", "GPU A100, sistema diferente de Debian, processador arm64 e máquina deepten"},
		{"ram > 16 GiB, cores <= 8, memory == 8 GiB, memory < 1 GiB", "more than 16 GiB of memory, at most 8 CPU cores, exactly 8 GiB of GPU memory and less than 1 GiB of GPU memory",
			"mais de 16 GiB de memória, no máximo 8 núcleos de CPU, exatamente 8 GiB de memória de GPU e menos de 1 GiB de memória de GPU"},
		{"gpus >= 1 and (torch or jax)", "a GPU and (PyTorch or JAX)", "GPU e (PyTorch ou JAX)"},
		{"gpus == 0 or gpus >= 1 and memory >= 8 GiB", "without a GPU or (a GPU and 8 GiB of GPU memory)", "sem GPU ou (GPU e 8 GiB de memória de GPU)"},
		{"torch, torch, torch, torch, torch, torch, torch, torch, torch", "", ""},
		{"", "", ""},
	} {
		e, err := Parse(c.source)
		if err != nil {
			t.Fatal(err)
		}
		for language, want := range map[string]string{"en": c.en, "pt": c.pt} {
			got, without := e.Words(text.Of(language))
			if without {
				got = "-" + got
			}
			if got != want {
				t.Errorf("%s in %s: %s, not %s", c.source, language, got, want)
			}
		}
	}
}
