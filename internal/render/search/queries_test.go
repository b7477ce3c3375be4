package search_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/render"
	"github.com/gpudocs/gpudocs/internal/render/search"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/themes"
)

// TestQueries asks the site of this repository what its readers ask.
func TestQueries(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../../..")
	content, diags := load.Load(root, load.Options{})
	if content == nil {
		t.Fatal(diags)
	}
	site, _, err := render.New(t.Context(), content, nil, themes.Default(), render.Options{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	engines := map[string]*search.Engine{}
	for _, path := range site.Paths() {
		language, name, _ := strings.Cut(path, "/")
		if name, ok := strings.CutPrefix(name, "_search/"); ok {
			if engines[language] == nil {
				engines[language] = search.NewEngine(t)
			}
			engines[language].Files[name], _, _ = site.File(path)
		}
	}
	for line := range strings.Lines(queries) {
		asked, want, ok := strings.Cut(strings.TrimSpace(line), " > ")
		asked, visible := strings.CutSuffix(asked, " >")
		if !ok {
			continue
		}
		language, query, _ := strings.Cut(asked, " ")
		got := []string{}
		for _, s := range engines[language].Ask(query, 3).Shown {
			to := s.URL
			if s.Enter > 0 {
				to += "#" + s.Sections[0].ID
			}
			got = append(got, to)
		}
		if len(got) == 0 {
			got = []string{"-"}
		}
		if !visible {
			got = got[:1]
		}
		if !slices.ContainsFunc(strings.Fields(want), func(w string) bool {
			return slices.ContainsFunc(got, func(g string) bool { return g == w || strings.HasPrefix(g, w+"/") && !strings.Contains(w, "#") })
		}) {
			t.Errorf("%s: Enter leads to %s, want %s", asked, got, want)
		}
	}
}

// Each line is "LANGUAGE QUERY > WHERE ENTER LEADS": to a page, if any of its sections is right, to a section, or to "-" if nothing is
// right. Words that the site does not have find nothing. After ">>" is what must be visible at first: one of three pages.
// "#" is the field of :::my-gpu on the home page.
const queries = `
pt falhou > _status/#_changes
pt resultado errado > maquinas/#avisar
pt avisar de resultado errado > maquinas/#avisar
pt saída errada > maquinas/#avisar
es resultado incorrecto > maquinas/#avisar
pt o que falhou esta semana > _status/#_changes
pt falha esta semana > _status/#_changes
pt o que mudou > _status/#_changes
pt máquina mais rápida > _status/#_measured
pt matmul mais rápido > _status/#_measured
pt qual máquina é a mais rápida > _status/#_measured
pt máquina mais rápida matmul > _status/#_measured
pt qual GPU é a mais rápida > _status/#_measured
pt GPU mais rápida > _status/#_measured
pt multiplicação de matrizes mais rápida > _status/#_measured
pt qual a mais rápida em multiplicação de matrizes > _status/#_measured
pt fastest matmul > _status/#_measured
pt matmul >> _status/#_measured
es matmul >> _status/#_measured
pt multiplicação de matrizes >> _status/#_measured
es multiplicación de matrices >> _status/#_measured
pt melhor gpu >> _status/#_measured
es mejor gpu >> _status/#_measured
pt ranking > _status/#_measured
es ranking > _status/#_measured
pt reportar > maquinas/#avisar
es reportar > maquinas/#avisar
pt bug > maquinas/#avisar
es bug > maquinas/#avisar
pt feedback > maquinas/#avisar
es feedback > maquinas/#avisar
pt relatar problema > maquinas/#avisar
pt reportar erro > maquinas/#avisar
es reportar error > maquinas/#avisar
pt RTX 3060 > #
es RTX 3060 > #
pt rtx 3060 driver 535 >> #
pt RTX 4060 laptop > #
es gtx 1080 > #
pt K80 >> #
pt minha gpu > #
pt minha placa > #
pt my gpu > #
pt roda na minha placa > #
pt funciona na minha gpu > #
pt roda na minha GPU? > #
es mi gpu > #
es mi tarjeta > #
es my gpu > #
es funciona en mi tarjeta > #
es funciona en mi GPU > #
es corre en mi tarjeta > #
pt minha máquina > maquinas
pt minha versão do CUDA > ambiente
pt minha conta no cluster > clusters
es mi versión de CUDA > entorno
es mi trabajo no empieza > clusters
pt status > _status
pt situação > _status
pt medições > _status/#_measured tempo
pt máquinas > _status/#_machines maquinas
es qué falló esta semana > _status/#_changes
es falló > _status/#_changes
es máquina más rápida > _status/#_measured
es matmul más rápido > _status/#_measured
es máquina más rápida matmul > _status/#_measured
es qué GPU es la más rápida > _status/#_measured
es GPU más rápida > _status/#_measured
es multiplicación de matrices más rápida > _status/#_measured
es fastest matmul > _status/#_measured
es status > _status
es mediciones > _status/#_measured tiempo
pt torch.cuda.synchronize > tempo
pt synchronize > tempo
pt perf_cou > tempo
pt is_available > ambiente/#falso pytorch/#dispositivo
pt torch.cuda.is_available() false > ambiente/#falso
pt out of memory > memoria/#oom
pt falta de memória > memoria
pt memoria insuficiente > memoria
pt OOM > memoria/#oom
pt ocupação > vazao/#ocupacao
pt ocupacao > vazao/#ocupacao
pt instalar pytorch > ambiente/#instalar ambiente/#wheels
pt instalr pytorch > ambiente/#instalar ambiente/#wheels
pt qual versão do cuda > ambiente
pt driver antigo > ambiente
pt conda > ambiente/#isolar
pt WSL > sem-gpu/#wsl
pt AMD > outras-gpus
pt ROCm > outras-gpus
es macOS MPS > otras-gpu
pt colab > sem-gpu/#servicos
pt kaggle > sem-gpu/#servicos
pt jupyter > gpu-cuda sem-gpu
pt nvidia-smi > ambiente gpu-cuda
pt CUDA_VISIBLE_DEVICES > ambiente/#visiveis pytorch/#varias
pt DistributedDataParallel > multigpu
pt treinar em várias GPUs > multigpu
pt FSDP > multigpu/#fsdp
pt all-reduce > multigpu/#trocas
pt DataLoader num_workers > vazao/#fome
pt roofline > vazao gpu-cuda/#teto
pt largura de banda > vazao glossario
pt gpu ociosa > vazao/#fome
pt precisão mista > precisao
pt autocast > precisao/#autocast
pt fp16 > precisao
pt tf32 > precisao/#tf32
pt sbatch > clusters
pt fila de jobs > clusters
pt kernel > kernel
pt tensor core > gpu-cuda/#sm
pt K80 > ambiente/#wheels ambiente/#instalar
pt numba > frameworks
pt triton > kernels-rapidos/#triton
pt memória compartilhada > kernels-rapidos/#compartilhada
pt softmax > kernels-rapidos/#fusao
pt profiler > perfil
pt nsight systems > perfil/#nsys
pt linha do tempo > perfil
pt docker > conteineres
pt MIG > conteineres/#mig
pt Lmod > conteineres/#modulos
pt erro 700 > tempo/#erros
es instalar pytorch > entorno
es colab > sin-gpu/#servicos
es controlador > entorno/#wheels
es versión de CUDA > entorno
es memoria > memoria gpu-cuda/#memoria
es fallo de memoria > memoria/#oom
es sincronizar > tiempo
es sincronización > tiempo
es calentamiento > tiempo glosario/#medidas
es cómo medir el tiempo > tiempo
es precision mixta > precision
es gradientes > pytorch precision/#escala
es rendimiento > rendimiento
es ancho de banda > rendimiento glosario
es ocupacion > rendimiento
es traza > perfil/#rastro
es colas > clusters
es varias GPU > multigpu
es matriz > gpu-cuda
es reducción > kernels-rapidos/#reducao
es cuBLAS > gpu-cuda/#matrizes
pt lição 5 > kernels-rapidos
pt lição 1 > gpu-cuda
pt aula 05 > kernels-rapidos
pt capítulo 16 > conteineres
pt lição 5 coalescência > kernels-rapidos
pt lesson 7 > precisao
pt LICAO 7 > precisao
es lección 7 > precision
es clase 5 > kernels-rapidos
es tutorial 12 > perfil
es lesson 99 > -
pt CUDA 12 > ambiente
pt nvprof > -
pt xilofone > -
es xilófono > -
es K80 > entorno/#wheels entorno/#instalar
`
