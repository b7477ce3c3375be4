package resolve_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/obsidian"
	"github.com/gpudocs/gpudocs/internal/site"
	"github.com/gpudocs/gpudocs/internal/site/load"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
)

const vaultConfig = "[markdown]\ndialects = [\"obsidian\"]\n[languages.pt]\nweight = 1\n[languages.es]\nweight = 2\n"

var vaultFiles = map[string]string{
	site.ConfigFile:                                     vaultConfig,
	"content/pt/index.md":                               "# Início\n",
	"content/pt/Placas.md":                              "---\naliases: [GPU, placa de vídeo]\n---\n# Placas\n\n## Uso: a *rede*\n\n### Passos\n\n## Fim\n\n### Passos\n\ntexto ^bloco\n",
	"content/pt/redes/Blocos.md":                        "# B\n",
	"content/pt/redes/nota.md":                          "# N1\n",
	"content/pt/outra/fundo/nota.md":                    "# N2\n",
	"content/pt/gpu/index.md":                           "# GPU de pasta\n",
	"content/pt/v1.5.md":                                "# V\n",
	norm.NFD.String("content/pt/redes/Memória alta.md"): "# M\n\n## São Paulo\n",
	"content/pt/redes/mapa.PNG":                         onePixel,
	"content/anexos/foto.png":                           onePixel,
	"content/es/foto.png":                               onePixel,
	"content/pt/guia.pdf":                               "",
	"content/es/Kernel.md":                              "# K\n\n## Hilos\n",
	"content/es/Tarjetas.md":                            "---\ntranslation: Placas\n---\n# Tarjetas\n",
}

// onePixel is a PNG of one pixel.
const onePixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82"

// vaultTargets lists the targets of links, including those of the dialect.
func vaultTargets(s *site.Site, p *site.Page) (out []string) {
	_ = ast.Walk(p.Doc(), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Link, *ast.Image, *markdown.Embed, *obsidian.WikiLink:
			if entering {
				out = append(out, strings.ReplaceAll(target(s.Links(p).Target(n)), "page content/", ""))
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

func vaultWith(at, text string) map[string]string {
	files := map[string]string{}
	for name, t := range vaultFiles {
		files[name] = t
	}
	files["content/"+at] = text
	return files
}

func TestWikiLinks(t *testing.T) {
	const placas = "pt/Placas.md"
	for _, tt := range []struct{ link, want string }{
		{"[[Placas]]", placas},
		{"[[placas.md]]", placas},
		{"[[/Placas]]", placas},
		{"[[Blocos]]", "pt/redes/Blocos.md"},
		{"[[redes/blocos|x]]", "pt/redes/Blocos.md"},
		{"[[gpu]]", placas}, // an alias goes before a folder
		{"[[GPU/index]]", "pt/gpu/index.md"},
		{"[[Placa de Vídeo]]", placas},
		{"[[v1.5]]", "pt/v1.5.md"},
		{"[[memória ALTA]]", norm.NFD.String("pt/redes/Memória alta.md")},
		{"[[" + norm.NFD.String("Memória alta#são paulo") + "]]", norm.NFD.String("pt/redes/Memória alta.md") + " suffix #são-paulo"},
		{"[[./redes/Blocos]]", "pt/redes/Blocos.md"},
		{"[[fundo/nota]]", "pt/outra/fundo/nota.md"},
		{"[[guia.pdf#page=2]]", "asset pt/guia.pdf suffix #page=2"},
		{"[[#Aqui]]\n\n## Aqui", "pt/p.md suffix #aqui"},
		{"[[^x]]\n\na ^x", "pt/p.md suffix #^x"},

		{"[[Placas#Uso a rede]]", placas + " suffix #uso-a-rede"},
		{"[[Placas#uso: a rede]]", placas + " suffix #uso-a-rede"},
		{"[[Placas#Placas]]", placas + " suffix #placas"},
		{"[[Placas#Passos]]", placas + " suffix #passos"},
		{"[[Placas#Fim#Passos]]", placas + " suffix #passos-1"},
		{"[[Placas#uso-a-rede]]", placas + " suffix #uso-a-rede"},
		{"[[Placas#^bloco]]", placas + " suffix #^bloco"},
		{"[[Placas^bloco]]", placas + " suffix #^bloco"},

		// Languages: a page that exists only in another language, and one with a translation in this one.
		{"[[Kernel#hilos]]", "es/Kernel.md suffix #hilos"},
		{"[[Tarjetas]]", placas},

		{"![[Blocos]]", "pt/redes/Blocos.md"},
		{"![[Placas#Fim]]", placas + " suffix #fim"},
		{"![[mapa.png|30]]", "asset pt/redes/mapa.PNG"},
		{"![[foto.png]]", "asset anexos/foto.png"},
		{"![[guia.pdf#page=2]]", "asset pt/guia.pdf suffix #page=2"},

		// Targets of Markdown links are found in the same way.
		{"[x](Blocos.md)", "pt/redes/Blocos.md"},
		{"[x](Placas.md#Uso%20a%20rede)", placas + " suffix #uso-a-rede"},
		{"[x](Placas.md#^bloco)", placas + " suffix #^bloco"},
		{"![x](mapa.png)", "asset pt/redes/mapa.PNG"},
		{"[x](obsidian://open?vault=v&file=redes%2FBlocos)", "pt/redes/Blocos.md"},
	} {
		t.Run(tt.link, func(t *testing.T) {
			s := sitetest.LoadValid(t, vaultWith("pt/p.md", tt.link+"\n"))
			p := s.Page("p", "pt")
			if diff := cmp.Diff([]string{tt.want}, vaultTargets(s, p)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if len(s.Links(p).All) != 1 {
				t.Fatalf("links: %+v", s.Links(p).All)
			}
			l := s.Links(p).All[0]
			if text := string(p.Source.Data[l.Start:l.End]); !strings.HasPrefix(text, l.Destination[:2]) && !strings.HasSuffix(text, l.Destination[1:]) {
				t.Errorf("links: %+v", s.Links(p).All)
			}
		})
	}
}

func TestWikiLinksThatLeadNowhere(t *testing.T) {
	for _, tt := range []struct{ link, want string }{
		{"[[Plaças]]", `there is no note "Plaças"` + "\n" + `did you mean "Placas"?`},
		{"[[Placas#Pasos]]", `content/pt/Placas.md has no heading "Pasos"` + "\n" + `did you mean "Passos"?`},
		{"[[Placas#Uso#Fim]]", `content/pt/Placas.md has no heading "Uso > Fim"` + "\n" + `did you mean "Fim"?`},
		{"[[Placas#^blocos]]", "content/pt/Placas.md has no block ^blocos\n" + `did you mean "^bloco"?`},
		{"![[map.png]]", `there is no image "map.png"` + "\n" + `did you mean "mapa.PNG"?`},
		{"![[som.mp3]]", `there is no file "som.mp3"` + "\n"},
		{"![[Placasx]] ![[Placasx]]", `there is no note "Placasx"` + "\n" + `did you mean "Placas"?`},
		{"[[nota]]", `the name "nota" means pt/redes/nota.md and pt/outra/fundo/nota.md; the first is taken, for it is nearer` + "\nwrite its path, as in [[redes/nota]]"},
		{"[x](obsidian://open?vault=v)", "this link opens a vault in Obsidian on the reader's computer, which only its author has\nname the note: [[note]]"},
		{"![[p]]", "this note leads back to itself; where it would stand within itself a link is shown\nembed a section of it, [[note#heading]], or write a link"},
		{"%%[[nada]]%% `[[nada]]`\n\n```\n[[nada]]\n```\n\n    [[nada]]\n", ""},
		{"a %% b", "the comment is not closed, and its text is shown\n" + `end it with %%; where %% is meant, write \%%`},
		{"a ^x\n\nb ^x", `the id "^x" occurs twice on this page` + "\ngive one of the two another id; links lead to the first"},
	} {
		t.Run(tt.link, func(t *testing.T) {
			_, diags := load.Load(sitetest.FS(vaultWith("pt/p.md", tt.link+"\n")), load.Options{})
			var got []string
			for _, d := range diags {
				got = append(got, d.Message.String()+"\n"+d.Hint.String())
				if d.Severity.String() != "warning" {
					t.Errorf("%v", d)
				}
			}
			if strings.Join(got, "\n\n") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestNearestNote checks that a name refers to the nearest file.
func TestNearestNote(t *testing.T) {
	for at, want := range map[string]string{"redes/x": "pt/redes/nota.md", "outra/x": "pt/outra/fundo/nota.md"} {
		s, out := sitetest.Load(t, vaultWith("pt/"+at+".md", "[[nota]]\n"))
		if got := vaultTargets(s, s.Page(at, "pt")); got[0] != want || !strings.Contains(out, `the name "nota" means `+want) {
			t.Errorf("%s: %s, want %s\n%s", at, got, want, out)
		}
	}
}

func TestObsidianFrontMatter(t *testing.T) {
	const text = "---\ntags: [gpu/memória, '#aula', 2024]\ntag: a, b\nalias: Um nome\naliases:\n  - outro\n  - {x: y}\ncssclasses: [larga]\npublish: true\npermalink: x\ndialects: obsidian\n---\n# P\n"
	s := sitetest.LoadValid(t, map[string]string{"content/pt/p.md": text})
	p := s.Page("p", "pt")
	if diff := cmp.Diff([]string{"gpu/memória", "aula", "2024", "a", "b"}, p.Tags); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Um nome", "outro"}, p.Aliases); diff != "" {
		t.Error(diff)
	}
	_, out := sitetest.Load(t, map[string]string{"content/pt/p.md": strings.ReplaceAll(text, "dialects: obsidian\n", "")})
	if n := strings.Count(out, "unknown key"); n != 5 || !strings.Contains(out, "a text is expected here") {
		t.Errorf("without the dialect: %d warnings\n%s", n, out)
	}
	s = sitetest.LoadValid(t, map[string]string{site.ConfigFile: vaultConfig, "content/pt/p.md": "# P\n", "content/pt/q.md": "---\npublish: false\n---\n"})
	if s.Page("q", "pt") != nil {
		t.Error("a note with publish: false is published")
	}
}

// TestCommentsOutdateNothing checks that a change in a comment does not make a translation outdated.
func TestCommentsOutdateNothing(t *testing.T) {
	hash := func(text string) string {
		s := sitetest.LoadValid(t, map[string]string{site.ConfigFile: vaultConfig, "content/pt/p.md": text})
		return s.Page("p", "pt").Sections[1].Hash
	}
	plain := hash("# P\n\na\n\nb\n")
	for _, text := range []string{"# P\n\na\n\n%%\nx\n%%\n\nb\n", "# P\n\na\n\n%% y %%\n\nb\n"} {
		if hash(text) != plain {
			t.Errorf("%q outdates", text)
		}
	}
	if hash("# P\n\na\n\n%%\nx\n%% c\n\nb\n") == plain {
		t.Error("what follows a comment counts")
	}
}

func TestParts(t *testing.T) {
	files := vaultWith("pt/p.md", "# P\n\n![[Placas#Fim]] ![[Placas]] ![[Placas#^bloco]] ![[lista#^um]] ![[Placas#nada]]\n")
	files["content/pt/lista.md"] = "- a\n- b ^um\n  - c\n"
	s, _ := sitetest.Load(t, files)
	p := s.Page("p", "pt")
	var got []string
	for _, e := range s.Links(p).EmbeddedNotes([]ast.Node{p.Doc()}) {
		part, ok := s.Links(p).Part(e)
		text := ""
		for _, b := range part.Blocks() {
			text += "|" + part.Page.PlainText(b)
		}
		if !ok {
			text = "none"
		}
		got = append(got, part.Title+text)
	}
	want := []string{"Placas › Fim|Passos||texto", "Placas|Uso: a rede|Passos|Fim|Passos||texto", "Placas|texto", "lista|b|c", "Placasnone"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPartsThatDoNotEnd checks that circular, too deep and exponentially growing embeds are reported.
func TestPartsThatDoNotEnd(t *testing.T) {
	circle := map[string]string{site.ConfigFile: vaultConfig, "content/pt/a.md": "![[b]]\n", "content/pt/b.md": "![[c#S]]\n", "content/pt/c.md": "# C\n\n## S\n\n![[b]]\n\n## T\n\n![[#S]]\n"}
	_, out := sitetest.Load(t, circle)
	if strings.Count(out, "leads back to itself") != 2 || strings.Contains(out, "a.md") || strings.Contains(out, "c.md:9") {
		t.Errorf("%s", out)
	}
	many := map[string]string{site.ConfigFile: vaultConfig, "content/pt/a.md": strings.Repeat("![[b]]\n\n", site.MaxParts+50), "content/pt/b.md": "x\n"}
	if _, out := sitetest.Load(t, many); strings.Count(out, "warning") != 1 || !strings.Contains(out, "a.md:401:1: warning: more than") {
		t.Errorf("%.2000s", out)
	}
	deep := map[string]string{site.ConfigFile: vaultConfig}
	for i := range 40 {
		name := string(rune('a'+i/26)) + string(rune('a'+i%26))
		next := string(rune('a'+(i+1)/26)) + string(rune('a'+(i+1)%26))
		deep["content/pt/"+name+".md"] = strings.Repeat("![["+next+"]]\n\n", 9)
	}
	delete(deep, "content/pt/bn.md")
	deep["content/pt/bn.md"] = "end\n"
	if _, out := sitetest.Load(t, deep); !strings.Contains(out, "aa.md:1:1: warning: more than 5 notes in one another") || strings.Contains(out, "bm.md") {
		t.Errorf("%.2000s", out)
	}
}

// TestNotesInHeadings checks that a heading that is only a link to a note has a text in the list of
// headings.
func TestNotesInHeadings(t *testing.T) {
	s, _ := sitetest.Load(t, map[string]string{site.ConfigFile: vaultConfig, "content/pt/a.md": "# A\n\n## ![[b]]\n\n## ![[b|Outra]]\n", "content/pt/b.md": "x\n"})
	var got []string
	for _, h := range s.Pages[0].Headings {
		got = append(got, h.Text)
	}
	if strings.Join(got, ",") != "b,Outra" {
		t.Errorf("%q", got)
	}
}
