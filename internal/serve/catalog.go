package serve

import (
	"net/http"
	"strings"
	"sync"

	"github.com/gpudocs/gpudocs/internal/text"
)

// catalogs returns the catalogs of all languages. The first is the default.
var catalogs = sync.OnceValue(func() (list []text.Catalog) {
	for _, code := range []string{"en", "pt", "es"} {
		list = append(list, text.Of(code, "serve"))
	}
	return list
})

// catalogFor returns the catalog of the first language of Accept-Language that gpudocs has. Browsers list
// languages in the order of preference.
func catalogFor(r *http.Request) text.Catalog {
	for wanted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		code, _, _ := strings.Cut(strings.TrimSpace(wanted), ";")
		code, _, _ = strings.Cut(code, "-")
		for _, c := range catalogs() {
			if strings.EqualFold(code, c.Code()) {
				return c
			}
		}
	}
	return catalogs()[0]
}
