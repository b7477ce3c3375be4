package card

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"strings"
	"sync"
	"testing"
)

// decoded draws a card and reads the picture.
func decoded(t testing.TB, c Card) *image.Paletted {
	t.Helper()
	data, err := c.PNG()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 60<<10 {
		t.Errorf("%d bytes", len(data))
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	p, ok := img.(*image.Paletted)
	if !ok || img.Bounds() != image.Rect(0, 0, Width, Height) {
		t.Fatalf("%T of %v", img, img.Bounds())
	}
	if dir := os.Getenv("GPUDOCS_SCREENSHOTS"); dir != "" {
		_ = os.WriteFile(dir+"/card-"+strings.NewReplacer("/", "-", " ", "-").Replace(t.Name())+".png", data, 0o644)
	}
	return p
}

// drawn counts the pixels of a colour within a part of the card.
func drawn(p *image.Paletted, in image.Rectangle, c colour) (n int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if i := p.ColorIndexAt(x, y); i%steps > 0 && colour(i/steps) == c {
				n++
			}
		}
	}
	return n
}

var (
	whole    = image.Rect(0, 0, Width, Height)
	titleBox = image.Rect(margin, titleTop, Width-margin, titleFoot)
)

func TestCards(t *testing.T) {
	for name, c := range map[string]struct {
		card  Card
		title bool // it has one
	}{
		"short":       {Card{Title: "GPU", Site: "GPU na prática", Language: "pt"}, true},
		"accents":     {Card{Title: "¿Qué tarjeta tengo? Ação, ñandú e Ümlaut", Site: "Laboratório", Language: "es"}, true},
		"long":        {Card{Title: strings.Repeat("Medir o tempo de um kernel sem se enganar ", 12), Site: strings.Repeat("Um site ", 40), Language: "pt-br"}, true},
		"one word":    {Card{Title: strings.Repeat("m", 400), Language: "pt"}, true},
		"emoji":       {Card{Title: "🚀 Começar 🎉 já", Site: "S", Language: "pt"}, true},
		"other":       {Card{Title: "図形処理", Site: "Nome do site", Language: "ja"}, true}, // the site's name
		"nothing":     {Card{}, false},
		"combining":   {Card{Title: "A\u0301rea e nu\u0303", Site: "S", Language: "pt"}, true},
		"control":     {Card{Title: "a\x00\u202eb\nc", Site: "S", Language: "pt"}, true},
		"a megabyte":  {Card{Title: strings.Repeat("palavra ", 1<<17), Site: "S", Language: "pt"}, true},
		"broken text": {Card{Title: "a\xff\xfeb", Site: "S"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := decoded(t, c.card)
			if got := drawn(p, titleBox, ink) > 0; got != c.title {
				t.Errorf("has a title: %v", got)
			}
			if in, all := drawn(p, titleBox, ink), drawn(p, whole, ink); in != all {
				t.Errorf("%d of %d pixels of the title are outside of its box", all-in, all)
			}
			if drawn(p, image.Rect(0, 0, Width, 30), line) == 0 {
				t.Error("the scale is missing")
			}
		})
	}
}

func TestReadings(t *testing.T) {
	p := decoded(t, Card{Title: "Conheça sua GPU", Site: "gpudocs", Language: "pt", Readings: []Reading{{"9 verificações", Quiet}, {"5 passaram", Passed}, {"2 falharam", Failed}, {"1 desatualizada", Stale}}})
	foot := image.Rect(0, 520, Width, Height)
	for c, name := range map[colour]string{green: "passed", red: "failed", amber: "stale", soft: "quiet"} {
		if drawn(p, foot, c) == 0 {
			t.Errorf("%s is missing", name)
		}
	}
	none := decoded(t, Card{Title: "x"})
	if drawn(none, foot, red)+drawn(none, foot, green) > 0 {
		t.Error("a card without readings has some")
	}
}

// TestSame: a card has the same bytes in every goroutine and whatever was drawn before.
func TestSame(t *testing.T) {
	one, two := Card{Title: "Um título", Site: "S", Language: "pt"}, Card{Title: "Outro, mais longo do que o primeiro", Site: "S", Language: "es"}
	want, err := one.PNG()
	if err != nil {
		t.Fatal(err)
	}
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			if _, err := two.PNG(); err != nil {
				t.Error(err)
			}
			if got, _ := one.PNG(); !bytes.Equal(got, want) {
				t.Error("the same card has other bytes")
			}
		})
	}
	g.Wait()
	if one.Key() == two.Key() || one.Key() != (Card{Title: "Um título", Site: "S", Language: "pt"}).Key() {
		t.Error("keys do not tell cards apart")
	}
}

// TestBlank: there is no card for a title in letters that the fonts lack, unless they have some of the site's name.
func TestBlank(t *testing.T) {
	for title, site := range map[string]string{"中文": "実験室", "🚀": "", "": ""} {
		if c := (Card{Title: title, Site: site, Language: "pt"}); !c.Blank() {
			t.Errorf("%+v", c)
		}
	}
	for title, site := range map[string]string{"中文": "Lab", "ação": "", "Ж": "実"} {
		if c := (Card{Title: title, Site: site}); c.Blank() {
			t.Errorf("%+v", c)
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	c := Card{Title: "Medir o tempo de um kernel sem se enganar com o relógio", Site: "GPU na prática", Language: "pt", Readings: []Reading{{"5 passaram", Passed}, {"1 falhou", Failed}}}
	size := 0
	for b.Loop() {
		data, err := c.PNG()
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "bytes")
}
