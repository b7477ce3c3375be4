package text

import (
	"cmp"
	"io/fs"
	"regexp"
	"strings"
)

// FromEnv returns the language of a terminal for [Of]. It reads the environment as GNU gettext does
// (https://www.gnu.org/software/gettext/manual/html_node/Locale-Environment-Variables.html):
// the locale is LC_ALL, else LC_MESSAGES, else LANG. The list LANGUAGE takes precedence, unless the
// locale is C or POSIX, which is English. The default is English too.
func FromEnv(getenv func(string) string) string {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG"))
	if name, _, _ := strings.Cut(locale, "."); name == "" || name == "C" || name == "POSIX" {
		return fallback
	}
	for name := range strings.SplitSeq(cmp.Or(getenv("LANGUAGE"), locale), ":") {
		if code, ok := languageOf(name); ok {
			return code
		}
	}
	return fallback
}

// localeName matches "pt", "pt_BR.UTF-8" and "es_ES@euro".
var localeName = regexp.MustCompile(`^([A-Za-z]{2,3})(?:[_-]([A-Za-z]{2}|[0-9]{3}))?(?:\.[^@]*)?(?:@.*)?$`)

// languageOf returns the code of a locale, such as "pt-br". ok is false if there are no texts in its language.
func languageOf(locale string) (code string, ok bool) {
	m := localeName.FindStringSubmatch(locale)
	if m == nil {
		return "", false
	}
	code = strings.ToLower(m[1])
	if _, err := fs.Stat(files, code+"/"+dateGroup+".toml"); err != nil {
		return "", false
	}
	if m[2] != "" {
		code += "-" + strings.ToLower(m[2])
	}
	return code, true
}
