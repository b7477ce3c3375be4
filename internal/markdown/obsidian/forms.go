package obsidian

import "github.com/gpudocs/gpudocs/internal/markdown"

// forms are the features of Obsidian,
// https://help.obsidian.md/obsidian-flavored-markdown.
var forms = []markdown.Form{
	markdown.NewForm("[[wiki link]]", markdown.InProse, "[[", `(?:^|[^!\\\w\])])\[\[(?:[^\[\]\s][^\[\]]*)?\pL[^\[\]]*\]\](?:$|[^(\w])`),
	markdown.NewForm("![[embed]]", markdown.InProse, "![[", `!\[\[[^\[\]]+\]\]`),
	markdown.NewForm("%%comment%%", markdown.InProse, "%%", `(?:^|[^\d%])%%[^%]*%%(?:$|[^\w%])|^%%$`),
	markdown.WeakForm("==mark==", markdown.InProse, "==", `(?:^|[^=])==[^=\s](?:[^=]*[^=\s])?==(?:$|[^=])`),
	markdown.WeakForm("^block-id", markdown.InProse, "^", `(?:^|\s)\^[A-Za-z0-9-]+$`),
	markdown.WeakForm("#tag", markdown.InProse, "#", `(?:^\s*|[^\s{]\s+)#[\p{L}_/][\p{L}\p{N}_/-]*`),
	markdown.WeakForm("folded callout", markdown.InProse, "[!", `^\s*>+ ?\[![\w-]+\][+-]`),
}
