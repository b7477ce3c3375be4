package carpentries

import "github.com/gpudocs/gpudocs/internal/markdown"

// formDivs are the names of divs that only this tool has.
const formDivs = `challenge|prereq|discussion|questions|objectives|keypoints|callout|testimonial|instructor|spoiler|checklist|group-tab`

// forms are the features of the Carpentries,
// https://carpentries.github.io/sandpaper-docs/, and the older
// https://carpentries.github.io/lesson-example/.
var forms = []markdown.Form{
	markdown.NewForm("::: div", markdown.InProse, ":::", `^[\s>]*:{3,}[ \t]*(?:`+formDivs+`)\b[ \t]*:*[ \t]*$`),
	markdown.NewForm("{: .class}", markdown.InProse, "{:", `^[\s>]*\{:[ \t]*\.(?:`+formDivs+`|solution|language-\w+|output|error|source)[ \t]*\}`),
	markdown.NewForm("front matter", markdown.InFrontMatter, "\nteaching:", `^teaching:[ \t]*\d`),
}
