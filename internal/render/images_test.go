package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/site/picture"
	"github.com/gpudocs/gpudocs/internal/site/sitetest"
	"github.com/gpudocs/gpudocs/themes"
)

// widePNG is an image of 1600 x 4 pixels.
func widePNG(t *testing.T) string {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 1600, 4))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.SetGray(i%1600, i/1600, color.Gray{Y: uint8(r.UintN(256))})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSmallerImages(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"gpudocs.toml":        config,
		"content/pt/a.md":     "# A\n\n![x](a,b.png)\n\n![x](a,b.png){width=300}\n\n<img src=\"a,b.png\" alt=\"x\">\n\n<img src=\"a,b.png\" srcset=\"s.png 2x\" alt=\"x\">\n\n![x](s.png)\n",
		"content/pt/a,b.png":  widePNG(t),
		"content/pt/free.png": widePNG(t), // no page shows it
		"content/pt/s.png":    "",
	}
	s := newSite(t, files, themes.Default(), Options{})
	got := fileOf(t, s, "pt/a/index.html")
	for _, want := range []string{
		`width="1600" height="4" srcset="../../_images/pt/a%2Cb-800.png 800w, ../a%2Cb.png 1600w" sizes="auto, `,
		`width="300" height="1" srcset="../../_images/pt/a%2Cb-800.png 800w, ../a%2Cb.png 1600w" sizes="300px"`,
		`decoding="async" srcset="../../_images/pt/a%2Cb-800.png 800w, ../a%2Cb.png 1600w" sizes="auto, `,
		`srcset="../s.png 2x"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %s:\n%s", want, got)
		}
	}
	const small = "_images/pt/a,b-800.png"
	if n := strings.Count(strings.Join(s.Paths(), "\n"), "_images/"); n != 1 {
		t.Errorf("%d smaller images", n)
	}
	if m, err := png.Decode(strings.NewReader(fileOf(t, s, small))); err != nil || m.Bounds().Dx() != 800 {
		t.Fatal(err)
	}
	var stored bytes.Buffer
	if err := s.plan.options.Images.Store(&stored); err != nil {
		t.Fatal(err)
	}
	images := picture.NewScaler(func() ([]byte, error) { return stored.Bytes(), nil })
	if later := newSite(t, files, themes.Default(), Options{Images: images}); fileOf(t, later, small) != fileOf(t, s, small) || images.Fresh() {
		t.Error("a later build has another version, or has made it again:", images.Fresh())
	}
	for _, off := range []*Site{newSite(t, files, themes.Default(), Options{Lazy: true}), func() *Site {
		files["gpudocs.toml"] = config + "[publish]\nimages = false\n"
		return newSite(t, files, themes.Default(), Options{})
	}()} {
		if slices.Contains(off.Paths(), small) || strings.Contains(fileOf(t, off, "pt/a/index.html"), "800w") {
			t.Error("there are smaller images")
		}
	}
}

// TestHugeImage: an image that says it has a hundred million pixels is published as it is.
func TestHugeImage(t *testing.T) {
	t.Parallel()
	huge := []byte(widePNG(t)[:60])
	copy(huge[16:], "\x00\x00\x4e\x20\x00\x00\x13\x88\x08\x00\x00\x00\x00\x71\x56\x02\x11") // 20000 x 5000
	files := map[string]string{"content/pt/a.md": "# A\n\n![x](a.png)\n", "content/pt/a.png": string(huge)}
	_, diags := sitetest.Load(t, files)
	if want := "content/pt/a.md:3:6: warning: a.png has 100 megapixels"; !strings.Contains(diags, want) {
		t.Errorf("%s lacks %s", diags, want)
	}
	s := newSite(t, files, themes.Default(), Options{})
	if fileOf(t, s, "pt/a.png") != string(huge) || strings.Contains(strings.Join(s.Paths(), " "), "_images") {
		t.Error("it is not published as it is")
	}
}
