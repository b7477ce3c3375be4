package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The pages of the tests below.
var sites = map[string][]string{
	"pt": {
		"# Medir tempo\n## Relógios\nA medição começa antes do kernel e termina depois.\n## Aquecimento\nDescarte as primeiras execuções.",
		"# Memória da placa\n## Cópias\nTransferir uma matriz grande custa caro.\n## Alocação\n\tptr = cudaMalloc(bytes)\nA média dos tempos engana.",
		"# Contar GPUs\n## Com PyTorch\n\tprint(torch.cuda.device_count())\n## Na linha de comando\nO comando nvidia-smi lista as placas, e `docker run --gpus all` as entrega.",
		"# Executar em paralelo\nCada thread executa o mesmo programa.\n## Sincronização\nEspere com torch.cuda.synchronize() ao fim.",
		"# Redes\nTreinamento de uma rede com várias GPUs. Um device por processo, e count conta, torch importa cuda.",
		"# Instalação\nInstale o driver 550 e o CUDA 12.4, compilado com nvcc -O3 em C++.",
	},
	"es": {
		"# Medir el tiempo\n## Relojes\nLa medición empieza antes del kernel. Este año mide dos veces.",
		"# Matrices\n## Productos\nUna matriz por otra: el tamaño importa. La señal llega.",
		"# Ejecución en paralelo\nCada hilo ejecuta lo mismo. Muestra el resultado.",
		"# Diseño\n## Instalar\nInstala el controlador; la instalación tarda. Probar y prueba.",
	},
	"en": {
		"# Measuring time\n## Clocks\nA measurement begins before the kernel.",
		"# Matrices\nMultiply one matrix by another.\n## Running it\nIt runs on each device.",
		"# Executing in parallel\nEach thread executes the same program; compilers optimize it.",
	},
}

func pagesOf(language string) (pages []Page) {
	for _, text := range sites[language] {
		pages = append(pages, page(text))
	}
	return pages
}

// TestAsk: queries in the browser's script, on an index that the build makes, with the page that must
// come first and, if given, its section.
func TestAsk(t *testing.T) {
	engines := map[string]*engine{}
	for l := range sites {
		engines[l] = engineOf(t, l, pagesOf(l))
	}
	for _, c := range []struct{ language, query, page, section string }{
		// Forms of a word, with accents or without.
		{"pt", "medindo", "medir-tempo/", "relógios"},
		{"pt", "medição", "medir-tempo/", "relógios"},
		{"pt", "medicao", "medir-tempo/", "relógios"},
		{"pt", "MEDIÇÕES", "medir-tempo/", "relógios"},
		{"pt", "executar", "executar-em-paralelo/", ""},
		{"pt", "execução", "executar-em-paralelo/", ""},
		{"pt", "matrizes", "memória-da-placa/", "cópias"},
		{"pt", "transferência", "memória-da-placa/", "cópias"},
		{"pt", "treinar redes", "redes/", ""},
		{"pt", "média", "memória-da-placa/", "alocação"},
		{"es", "midiendo", "medir-el-tiempo/", "relojes"},
		{"es", "matriz", "matrices/", "productos"},
		{"es", "ejecutar", "ejecución-en-paralelo/", ""},
		{"es", "ejecucion", "ejecución-en-paralelo/", ""},
		{"es", "mostrar", "ejecución-en-paralelo/", ""},
		{"es", "instalado", "diseño/", "instalar"},
		{"es", "año", "medir-el-tiempo/", "relojes"},
		{"es", "AN\u0303O", "medir-el-tiempo/", "relojes"},
		{"en", "measure", "measuring-time/", "clocks"},
		{"en", "matrix", "matrices/", ""},
		{"en", "execution", "executing-in-parallel/", ""},
		{"en", "ran", "matrices/", "running-it"},
		{"en", "optimization compiler", "executing-in-parallel/", ""},
		// While it is typed.
		{"pt", "sincr", "executar-em-paralelo/", "sincronização"},
		{"pt", "sincroniza", "executar-em-paralelo/", "sincronização"},
		{"pt", "sincronizaçã", "executar-em-paralelo/", "sincronização"},
		{"pt", "medi", "medir-tempo/", "relógios"},
		{"pt", "aloca", "memória-da-placa/", "alocação"},
		{"es", "matri", "matrices/", "productos"},
		// Typing errors: one letter from four letters on, two from eight.
		{"pt", "medri", "medir-tempo/", "relógios"},
		{"pt", "sincronisasão", "executar-em-paralelo/", "sincronização"},
		{"pt", "tranferencia", "memória-da-placa/", "cópias"},
		{"pt", "nvidai-smi", "contar-gpus/", "na-linha-de-comando"},
		{"es", "diseno", "diseño/", ""},
		{"es", "instlar", "diseño/", "instalar"},
		{"es", "tamano", "matrices/", "productos"},
		{"en", "mesurement", "measuring-time/", "clocks"},
		{"en", "optimzation", "executing-in-parallel/", ""},
		{"en", "excutes", "executing-in-parallel/", ""},
		// Names, whole and by parts.
		{"pt", "torch.cuda.device_count", "contar-gpus/", "com-pytorch"},
		{"pt", "device_count", "contar-gpus/", "com-pytorch"},
		{"pt", "torch.cuda.dev", "contar-gpus/", "com-pytorch"},
		{"pt", "torch.cuda.sy", "executar-em-paralelo/", "sincronização"},
		{"pt", "nvidia-smi", "contar-gpus/", "na-linha-de-comando"},
		{"pt", "nvidia", "contar-gpus/", "na-linha-de-comando"},
		{"pt", "--gpus", "contar-gpus/", "na-linha-de-comando"},
		{"pt", "cudaMalloc", "memória-da-placa/", "alocação"},
		{"pt", "cudamalloc", "memória-da-placa/", "alocação"},
		{"pt", "malloc", "memória-da-placa/", "alocação"},
		{"pt", "c++", "instalação/", ""},
		{"pt", "-O3", "instalação/", ""},
		{"pt", "12.4", "instalação/", ""},
		// A title says more than text.
		{"pt", "tempo", "medir-tempo/", ""},
		{"pt", "gpus", "contar-gpus/", ""},
	} {
		t.Run(c.language+" "+c.query, func(t *testing.T) {
			e := engines[c.language]
			e.TB = t
			a := e.ask(c.query, 1)
			if len(a.Shown) == 0 || a.Shown[0].URL != c.page {
				t.Fatalf("got %+v, want %s", a, c.page)
			}
			if c.section != "" && (len(a.Shown[0].Sections) == 0 || a.Shown[0].Sections[0].ID != c.section) {
				t.Errorf("got sections %+v, want %s", a.Shown[0].Sections, c.section)
			}
			if shown := fmt.Sprint(a.Shown[0]); !strings.Contains(shown, "[") {
				t.Errorf("nothing is marked in %s", shown)
			}
		})
	}
}

// A different word is not found, even if its stem is short and similar to one that exists.
func TestAskNothingLikeIt(t *testing.T) {
	e := engineOf(t, "en", []Page{page("# Folders\nYou are told a short folder's name."), page("# Names\nA refresh asks again, a reference shows a reader.")})
	for _, query := range []string{"tolerance", "shortcuts", "shortbread"} {
		if a := e.ask(query, 1); len(a.Pages) > 0 {
			t.Errorf("%q finds %+v", query, a.Shown)
		}
	}
	if a := e.ask("refrence", 1); len(a.Shown) != 1 || !strings.Contains(a.Shown[0].Snippet, "[reference]") {
		t.Errorf("got %+v", a)
	}
}

// A stem is shorter than its word, so unlike words may have stems that are alike.
func TestAskNothingWithALikeStem(t *testing.T) {
	e := engineOf(t, "pt", []Page{page("# Grade\nSão doze threads.")})
	if a := e.ask("docker", 1); len(a.Pages) > 0 {
		t.Errorf("docker finds %+v", a.Shown)
	}
	if a := e.ask("doxe", 1); len(a.Shown) != 1 {
		t.Errorf("doxe finds %+v", a)
	}
}

// Synonyms are words or phrases, of gpudocs and of the site. What is found with one is marked and can be a part of a query, and
// typing errors are not looked for.
func TestAskSynonyms(t *testing.T) {
	e := NewEngine(t)
	for _, f := range Build("pt", []Page{
		page("# Memória\n## Contas\nO processo morre por falta de memória.\n## Cópias\nA memória é grande."),
		page("# Falta\nOutro assunto. Um contêiner aberto sem placa."), page("# Dados\n## GPU com fome\nUma fila."),
		page("# Vazio\nO comparável dockr."),
	}, [][]string{{"GPU ociosa", "GPU com fome"}}) {
		e.Files[f.Name] = f.Data
	}
	for query, want := range map[string]string{
		"OOM": "memória/#contas", "out of memory": "memória/#contas", "docker": "falta/", "podman": "falta/", "podman aberto": "falta/",
		"por que a gpu ociosa": "dados/#gpu-com-fome", "singularity placa": "falta/",
	} {
		a := e.ask(query, 2)
		if len(a.Shown) == 0 {
			t.Errorf("%s finds nothing", query)
			continue
		}
		got := a.Shown[0].URL
		if a.Shown[0].Enter > 0 {
			got += "#" + a.Shown[0].Sections[0].ID
		}
		if got != want || a.Partly || !strings.Contains(fmt.Sprint(a.Shown[0]), "[") {
			t.Errorf("%s: Enter leads to %s, want %s; %+v", query, got, want, a)
		}
	}
	// Synonyms without a word of the pages are not in the index.
	if head := string(e.Files[Head]); !strings.Contains(head, `"contêiner"`) || strings.Contains(head, "jupyter") {
		t.Errorf("got %s", head)
	}
}

// The file is valid, and no phrase is cut to one word by the stop words of its language.
func TestSynonymsFile(t *testing.T) {
	for _, language := range []string{"pt", "es", "en"} {
		s := newStemmer(language)
		if len(builtin()[language]) == 0 {
			t.Errorf("%s has no synonyms", language)
		}
		for _, group := range builtin()[language] {
			for _, phrase := range group {
				words := 0
				names(phrase, func(name string) { s.name(name, func(string) { words++ }) })
				if words == 0 || words == 1 && strings.Contains(phrase, " ") || len(group) < 2 {
					t.Errorf("%s: %q in %q", language, phrase, group)
				}
			}
		}
	}
}

// Enter leads to the section that has the words, and to the top of the page if its title has them.
func TestAskEnter(t *testing.T) {
	e := engineOf(t, "pt", []Page{page("# Placas\nO quarkônio aparece.\n## Outra\nNada.\n## Quarkônio\nUm texto."), page("# Botomônio\nUm texto.\n## Mais\nO botomônio.")})
	for query, want := range map[string]int{"quarkonio": 1, "botomonio": 0, "outra": 1, "placas": 0} {
		if a := e.ask(query, 1); len(a.Shown) != 1 || a.Shown[0].Enter != want {
			t.Errorf("%s: got %+v", query, a)
		}
	}
}

// A numbered page is found by its number alone, and the number is no word.
func TestAskLesson(t *testing.T) {
	pages := []Page{page("# Um\nUma lição."), page("# Dois\nO CUDA 5."), page("# Três"), page("# Dez")}
	for i, n := range []string{"1.", "5.", "5.1.", "51."} {
		pages[i].Number = n
	}
	e := engineOf(t, "pt", pages)
	for query, want := range map[string]string{
		"lição 5 ": "5. Dois", "LICAO 05": "5. Dois|5.1. Três", "aula 5.1": "5.1. Três|5. Dois", "tutorial 5. dois": "5. Dois", "capítulo 51": "51. Dez", "lição 1": "1. Um", "lição": "1. Um",
		"lição 9": "", "lesson 511": "", "51": "", "lesson": "1. Um|5. Dois|5.1. Três|51. Dez",
	} {
		var got []string
		for _, s := range e.ask(query, 9).Shown {
			got = append(got, strings.NewReplacer("[", "", "]", "").Replace(s.Title))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: got %q, want %s", query, got, want)
		}
	}
}

// TestAskNothing: queries without results.
func TestAskNothing(t *testing.T) {
	for _, c := range []struct{ language, query string }{
		{"es", "ano"}, {"es", "cana"}, {"pt", "xyzzyplugh"}, {"pt", ""}, {"pt", "o de "}, {"pt", "cuda999"},
		{"pt", "<script>"[:1]}, {"pt", ".*+?^${}()|[]\\"}, {"pt", "|0 A"}, {"pt", "__proto__x"}, {"pt", "hasOwnPropertyOf"},
	} {
		if a := engineOf(t, c.language, pagesOf(c.language)).ask(c.query, 1); len(a.Pages) > 0 {
			t.Errorf("%s: %q finds %+v", c.language, c.query, a.Shown)
		}
	}
}

// A page that has all words is the only result; if none has, those with most of them are partial
// matches.
func TestAskSeveralWords(t *testing.T) {
	e := engineOf(t, "pt", pagesOf("pt"))
	if a := e.ask("medição kernel", 1); a.Partly || len(a.Pages) != 1 {
		t.Errorf("got %+v", a)
	}
	if a := e.ask("medição xyzzyplugh", 1); !a.Partly || len(a.Pages) == 0 || a.Shown[0].URL != "medir-tempo/" {
		t.Errorf("got %+v", a)
	}
	if a, b := e.ask("a medição de um kernel", 1), e.ask("medição kernel", 1); !slices.Equal(a.Pages, b.Pages) {
		t.Errorf("stop words change %v to %v", b.Pages, a.Pages)
	}
}

// A page shows the best three of its sections that have the words, however far apart, the best first.
func TestAskShowsSections(t *testing.T) {
	filler := strings.Repeat("Outra frase que enche a seção.\n", 300)
	e := engineOf(t, "pt", []Page{page("# Placa\nUm quarkônio.\n## Um\nO quarkônio vai.\n## Dois\n" + filler +
		"## Três\nVai.\n## Quarkônio\nQuarkônio e quarkônio.\n## Quatro\n" + filler + "## Cinco\nQuarkônio, e outro quarkônio.\n## Seis\n" + filler + "Um quarkônio.")})
	a := e.ask("quarkonio", 1)
	if len(a.Shown) != 1 {
		t.Fatalf("got %+v", a)
	}
	var ids []string
	for _, s := range a.Shown[0].Sections {
		ids = append(ids, s.ID)
		if !strings.Contains(strings.ToLower(s.Snippet), "[quarkônio]") {
			t.Errorf("%s shows %q", s.ID, s.Snippet)
		}
	}
	if got := strings.Join(ids, " "); got != "quarkônio cinco um" {
		t.Errorf("got the sections %s", got)
	}
	if got := a.Shown[0].Snippet; got != "Um [quarkônio]." {
		t.Errorf("the page says %q", got)
	}
}

// A section that is found in several of its parts is shown once.
func TestAskShowsALongSectionOnce(t *testing.T) {
	e := engineOf(t, "pt", []Page{page("# Placa\n## Um\n" + strings.Repeat("O quarkônio vai e enche a seção.\n", 500))})
	if a := e.ask("quarkonio", 1); len(a.Shown) != 1 || len(a.Shown[0].Sections) != 1 {
		t.Errorf("got %+v", a)
	}
}

// A page about one thing comes before those about several.
func TestAskShortTitlesFirst(t *testing.T) {
	e := engineOf(t, "pt", []Page{
		page("# Testar as filas do servidor\nFilas se testam. Filas aqui, filas ali."), page("# Filas\nUma fila."),
		page("# Placas\n## Núcleos e outras partes\nNúcleos de cálculo, núcleos."), page("# Partes\n## Núcleos\nUm núcleo."),
	})
	for query, want := range map[string]string{"filas": "filas/", "núcleos": "partes/"} {
		if a := e.ask(query, 1); len(a.Shown) != 1 || a.Shown[0].URL != want {
			t.Errorf("%s: got %+v, want %s", query, a, want)
		}
	}
}

// If few pages have all words, a page about most of them is found too, before one that mentions all in
// passing.
func TestAskMostWords(t *testing.T) {
	e := engineOf(t, "pt", []Page{
		page("# Um\nO ubuntu."), page("# Dois\nOutro ubuntu."), page("# Três\nNada disso."), page("# Quatro\nNem isso."),
		page("# Diário\nHoje um driver, amanhã um servidor. " + strings.Repeat("Ontem outra coisa. ", 50) + "Instalar o ubuntu."),
		page("# Instalar o driver\n## Instalar o driver\nO driver se instala assim: instalar, e o driver roda."),
	})
	a := e.ask("como fazer para instalar o driver ubuntu", 2)
	if len(a.Shown) != 2 || a.Shown[0].URL != "instalar-o-driver/" || a.Partly {
		t.Errorf("got %+v", a)
	}
}

// A query is cut, so a long one costs no more; a pasted text is neither a pattern nor a key of an
// object.
func TestHostileQueries(t *testing.T) {
	e := engineOf(t, "pt", pagesOf("pt"))
	for _, q := range []string{
		strings.Repeat("a", 1<<20), strings.Repeat("medição ", 1<<17), strings.Repeat("<b>", 1<<18), strings.Repeat("a.", 1<<19),
		"constructor", "__proto__", "toString valueOf", "medição __proto__",
	} {
		e.loaded = nil
		e.ask(q, 3)
		if len(e.loaded) > 20 {
			t.Errorf("%.20q loads %d files", q, len(e.loaded))
		}
	}
}

// FuzzAsk checks that the script answers any query in any language without an error, and shows only texts of the
// pages.
func FuzzAsk(f *testing.F) {
	for i, q := range []string{"medição de tempo", "constructor", "__proto__", "torch.cuda.device_count()", "-- -x ::a->b", "\u0301\u0327", "\xff\x00", "n\u0303 ñ ß ﬁ \U0001f680", "|!A0", "a\"</script>", "GPUs HTTPServer cudaMalloc", "时间"} {
		f.Add(byte(i), q)
	}
	languages := []string{"pt", "es", "en", "zh"}
	engines := map[string]*engine{}
	stands := map[string]bool{}
	for _, l := range languages {
		pages := append(pagesOf(l), page("# __proto__ <b>\n## constructor | !A\nUm </script> de \"aspas\" \\ e \u2028 quarkônio.\n\tcudaMalloc(x->y::z, torch.cuda.device_count());"))
		for _, p := range pages {
			stands[p.URL], stands[p.Title] = true, true
		}
		engines[l] = engineOf(f, l, pages)
	}
	f.Fuzz(func(t *testing.T, l byte, query string) {
		e := engines[languages[int(l)%len(languages)]]
		e.TB, e.loaded = t, nil
		unmarked := strings.NewReplacer("[", "", "]", "")
		for _, s := range e.ask(query, 3).Shown {
			if !stands[s.URL] || !stands[unmarked.Replace(s.Title)] {
				t.Errorf("%q shows %+v", query, s)
			}
		}
	})
}

// Markup stays text, and what looks like the marks of the index.
func TestTextsAreKept(t *testing.T) {
	const text = "Um <b>texto</b> com </script> \"aspas\" \\ e \u2028 quarkônio | 3A 🚀 fim"
	e := engineOf(t, "pt", []Page{page("# Título <i>\n## Seção & cia\n" + text)})
	a := e.ask("quarkonio", 1)
	if len(a.Shown) != 1 || len(a.Shown[0].Sections) != 1 || !strings.Contains(a.Shown[0].Sections[0].Snippet, "</script> \"aspas\" \\ e [quarkônio] | 3A 🚀 fim") {
		t.Errorf("got %+v", a)
	}
	if got := a.Shown[0].Title + a.Shown[0].Sections[0].Heading; got != "Título <i>Seção & cia" {
		t.Errorf("got %s", got)
	}
}
