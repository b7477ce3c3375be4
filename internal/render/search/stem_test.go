package search

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The words of a line find one another, with or without accents.
var families = map[string]string{
	"pt": `medindo medir medição medições medida medidas medido mede medem medicao
executar execução execuções executa executando executado execucao
matriz matrizes
processar processamento processador processadores processo processos processa
otimizar otimização otimizações otimizado otimizador otimiza
paralelo paralela paralelos paralelismo paralelizar paralelização
computar computação computador computadores computacional
velocidade velocidades veloz
dependência dependências depender depende
variável variáveis variar variação varia
compilar compilador compilação compilando compiladores
treinar treinamento treino treinado treinando
núcleo núcleos nucleo
instalar instalação instalado instale instala
configurar configuração configurações configurado
transferir transferência transferências
função funções funcao funcoes
versão versões versao
conversão converter convertido
precisão preciso precisa
produzir produção produz
reduzir redução reduz reducao
alocar alocação alocado aloca alocações
sinal sinais
nível níveis nivel
possível possíveis
imagem imagens
thread threads
GPU GPUs gpu gpus
aplicar aplicação aplique aplicações
explicar explique explicação
carregar carregue carregando
sincronizar sincronização sincronize sincronizado
biblioteca bibliotecas
escalar escalável escalabilidade
servidor servidores`,
	"es": `midiendo medir medición mediciones medida medidas medido mide miden medicion
ejecutar ejecución ejecuciones ejecuta ejecutando ejecutado ejecucion
matriz matrices
procesar procesamiento procesador procesadores proceso procesos procesa
optimizar optimización optimizaciones optimizado optimizador optimiza optimice
paralelo paralela paralelos paralelismo paralelizar
computar computación computador computadores computacional
velocidad velocidades veloz
dependencia dependencias depender depende dependiente
variable variables variar variación varía
compilar compilador compilación compilando compiladores
entrenar entrenamiento entrenado entrenando entrena
núcleo núcleos nucleo
instalar instalación instalado instale instala
configurar configuración configuraciones configurado
transferir transferencia transferencias
función funciones funcion
versión versiones version
conversión convertir convertido
precisión preciso precisa
reducir reducción reduce
instruir instrucción instrucciones
nivel niveles
señal señales
diseño diseños diseñar diseñado
tamaño tamaños
imagen imágenes imagenes
hilo hilos
GPU GPUs
aplicar aplicación aplique aplica
cargar cargue cargando carga
sincronizar sincronización sincronice sincronizado
biblioteca bibliotecas
año años
servidor servidores`,
	"en": `measure measures measured measuring measurement measurements
execute executes executed executing execution
matrix matrices
vertex vertices
index indices indexes
process processes processed processing
optimize optimizes optimized optimizing optimization optimizer
parallel parallelism parallelize
compute computes computed computing computation computations computer computers
compile compiles compiled compiling compiler compilation
run runs running
use uses used using
query queries
memory memories
device devices
library libraries
configure configures configured configuration
install installs installed installing installation
transfer transfers transferred transferring
reduce reduces reduced reduction
convert converts conversion
GPU GPUs
thread threads
depend depends dependency dependencies dependent
perform performs performance
string strings
schedule scheduler scheduling`,
}

// The words of a line do not find one another.
var strangers = map[string]string{
	"pt": `medir média
ano animal
rede redução
número nome
cor corrente
kernel kernels-livres
versão vertical
caso casa-de`,
	"es": `año ano
medir media
peña pena
caña cana
red reducción
número nombre`,
	"en": `string strict
red read
matrix mattress
thing the
speed spend
number numb-er`,
}

func TestFamilies(t *testing.T) {
	for language, lines := range families {
		s := newStemmer(language)
		for line := range strings.Lines(lines) {
			words := strings.Fields(line)
			first := s.stem(fold(words[0]))
			for _, w := range words[1:] {
				if got := s.stem(fold(w)); got != first {
					t.Errorf("%s: %s is %q, %s is %q", language, words[0], first, w, got)
				}
			}
		}
	}
}

func TestStrangers(t *testing.T) {
	for language, lines := range strangers {
		s := newStemmer(language)
		for line := range strings.Lines(lines) {
			words := strings.Fields(line)
			if a, b := s.stem(fold(words[0])), s.stem(fold(words[1])); a == b {
				t.Errorf("%s: %s and %s are both %q", language, words[0], words[1], a)
			}
		}
	}
}

// The files of rules contain only what stem.go reads, and no rule twice.
func TestRules(t *testing.T) {
	names, err := fs.Glob(stems, "stems/*.txt")
	if err != nil || len(names) != 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, _ := fs.ReadFile(stems, name)
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			if len(words) == 0 || strings.HasPrefix(line, "#") {
				continue
			}
			seen := map[string]bool{}
			for _, w := range words[1:] {
				ending, _, _ := strings.Cut(w, ">")
				ending, left, ok := strings.Cut(ending, ":")
				if seen[ending] {
					t.Errorf("%s: %q is there twice in %.40q", name, ending, line)
				}
				seen[ending] = true
				if w != fold(w) || ok && (len(left) != 1 || left[0] < '0' || left[0] > '9') {
					t.Errorf("%s: %q", name, w)
				}
			}
			if words[0] != "stop" && words[0] != "alt" && words[0] != "step" {
				t.Errorf("%s: unknown rule %q", name, words[0])
			}
		}
	}
}

// FuzzTerms checks that Go and the browser find the same terms in any text.
func FuzzTerms(f *testing.F) {
	for _, lines := range families {
		for line := range strings.Lines(lines) {
			f.Add(line)
		}
	}
	for _, s := range []string{
		"torch.cuda.device_count() nvidia-smi --gpus all -O3 a--b ---c x-->y p->q ns::name C++ C# __global__ _ __ cudaMalloc HTTPServer GPUs NVMe cuBLAS x86_64 1.5e-3",
		"año AÑO an\u0303o ÀÉÎõü ΟΔΟΣ ß İstanbul ﬁ μ Кириллица 日本語 a\u0301\u0303 🚀x 123456 1234567 0xdeadbeef",
		"\xff\xfe\x00 a\u2028b |0 \\ \" </script>", strings.Repeat("a", 41) + " " + strings.Repeat("b.", 40),
	} {
		f.Add(s)
	}
	engines := map[string]*engine{}
	for _, l := range []string{"pt", "es", "en", "xx"} {
		engines[l] = engineOf(f, l, []Page{page("# x")})
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 300 {
			return // texts of pages are valid
		}
		for l, e := range engines {
			e.TB = t
			browser, build := e.terms(text), termsOf(l, text)
			slices.Sort(browser)
			slices.Sort(build)
			if got, want := strings.Join(browser, " "), strings.Join(build, " "); got != want {
				t.Errorf("%s: %q\nbrowser %q\nbuild   %q", l, text, got, want)
			}
		}
	})
}
