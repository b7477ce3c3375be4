package site

import (
	"net/url"
	"path"
	"strings"

	"github.com/gpudocs/gpudocs/internal/text/diag"
)

// A Launch is where notebooks of pages lie, and who opens them for readers.
type Launch struct {
	// Repository is the owner and the name of a repository on GitHub. Branch and Folder are where in it the notebooks are.
	Repository, Branch, Folder string
	// Services are keys of [Services].
	Services []string
	// Outputs is the machine whose results the notebooks contain, or empty, and At its place in gpudocs.toml.
	Outputs string
	At      diag.Diagnostic
}

// Services are the notebook services by their keys in gpudocs.toml.
var Services = map[string]string{"colab": "Colab", "kaggle": "Kaggle", "binder": "Binder"}

// URL returns the address at which a service opens a notebook.
func (l *Launch) URL(service, name string) string {
	branch, file := (&url.URL{Path: l.Branch}).EscapedPath(), (&url.URL{Path: path.Join(l.Folder, name)}).EscapedPath()
	switch service {
	case "colab":
		return "https://colab.research.google.com/github/" + l.Repository + "/blob/" + branch + "/" + file
	case "kaggle":
		return "https://kaggle.com/kernels/welcome?src=" + url.QueryEscape("https://raw.githubusercontent.com/"+l.Repository+"/"+branch+"/"+file)
	}
	return "https://mybinder.org/v2/gh/" + l.Repository + "/" + url.PathEscape(l.Branch) + "?labpath=" +
		strings.ReplaceAll(url.QueryEscape(path.Join(l.Folder, name)), "+", "%20")
}
