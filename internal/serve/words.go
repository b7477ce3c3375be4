package serve

import (
	"net/http"
	"strings"
)

// words are the texts of the pages that are the server's own.
type words struct {
	Lang                                   string
	NotBuilt, NotBuiltText                 string
	NotMade, NotMadeText                   string
	NotFound, NotFoundText                 string
	Open, OpenText, NoScript, Wrong, ToAll string
}

// languages are in the order in which they are looked for; the first is for all others.
var languages = []words{
	{
		Lang:     "en",
		NotBuilt: "The site could not be built", NotBuiltText: "This page reloads when the errors are mended.",
		NotMade: "This page could not be made", NotMadeText: "It reloads after the next change.",
		NotFound: "Not found", NotFoundText: "The site has no such file. This page reloads after the next change.",
		Open:     "Code can be run from these pages",
		OpenText: "This server was started with --allow-run. Its pages have buttons that run the code of the site on this machine, with the rights of whoever started it.",
		NoScript: "This needs JavaScript.",
		Wrong:    "This is not the address that the terminal shows: every start has another one.",
		ToAll:    "Read the site",
	},
	{
		Lang:     "pt",
		NotBuilt: "Não foi possível gerar o site", NotBuiltText: "Esta página será recarregada quando os erros forem corrigidos.",
		NotMade: "Não foi possível gerar esta página", NotMadeText: "Ela será recarregada depois da próxima mudança.",
		NotFound: "Não encontrado", NotFoundText: "O site não tem esse arquivo. Esta página será recarregada depois da próxima mudança.",
		Open:     "Estas páginas podem executar código",
		OpenText: "Este servidor foi iniciado com --allow-run. Suas páginas têm botões que executam o código do site nesta máquina, com as permissões de quem o iniciou.",
		NoScript: "Isto precisa de JavaScript.",
		Wrong:    "Este não é o endereço que o terminal mostra: ele muda a cada início.",
		ToAll:    "Ler o site",
	},
	{
		Lang:     "es",
		NotBuilt: "No se pudo generar el sitio", NotBuiltText: "Esta página se recargará cuando se corrijan los errores.",
		NotMade: "No se pudo generar esta página", NotMadeText: "Se recargará después del próximo cambio.",
		NotFound: "No encontrado", NotFoundText: "El sitio no tiene ese archivo. Esta página se recargará después del próximo cambio.",
		Open:     "Estas páginas pueden ejecutar código",
		OpenText: "Este servidor se inició con --allow-run. Sus páginas tienen botones que ejecutan el código del sitio en esta máquina, con los permisos de quien lo inició.",
		NoScript: "Esto necesita JavaScript.",
		Wrong:    "Esta no es la dirección que muestra la terminal: cambia en cada inicio.",
		ToAll:    "Leer el sitio",
	},
}

// wordsFor are those of the first language that the browser asks for and that is
// spoken here. Browsers list them in the order of preference.
func wordsFor(r *http.Request) words {
	for wanted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		code, _, _ := strings.Cut(strings.TrimSpace(wanted), ";")
		code, _, _ = strings.Cut(code, "-")
		for _, w := range languages {
			if strings.EqualFold(code, w.Lang) {
				return w
			}
		}
	}
	return languages[0]
}
