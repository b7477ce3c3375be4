package text

import (
	"cmp"
	"io/fs"
	"regexp"
	"strings"
)

// FromEnv chooses the language for a terminal, for [Of], by the environment of
// the reader, as GNU gettext does
// (https://www.gnu.org/software/gettext/manual/html_node/Locale-Environment-Variables.html):
// the locale is LC_ALL, else LC_MESSAGES, else LANG; LANGUAGE is a list that goes
// before it, unless the locale is C or POSIX, which is English whatever else is
// set. So is a list, or a locale, without a language that gpudocs speaks.
func FromEnv(getenv func(string) string) string {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG"))
	if name, _, _ := strings.Cut(locale, "."); name == "" || name == "C" || name == "POSIX" {
		return fallback
	}
	for name := range strings.SplitSeq(cmp.Or(getenv("LANGUAGE"), locale), ":") {
		if code, ok := spoken(name); ok {
			return code
		}
	}
	return fallback
}

// localeName is "pt", "pt_BR.UTF-8" or "es_ES@euro".
var localeName = regexp.MustCompile(`^([A-Za-z]{2,3})(?:[_-]([A-Za-z]{2}|[0-9]{3}))?(?:\.[^@]*)?(?:@.*)?$`)

// spoken returns the code of a locale, "pt-br", where there are texts in its
// language.
func spoken(locale string) (code string, ok bool) {
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
