package dialects_test

import (
	"strings"
	"testing"

	"github.com/gpudocs/gpudocs/internal/markdown"
	"github.com/gpudocs/gpudocs/internal/markdown/dialects"
	"github.com/gpudocs/gpudocs/internal/markdown/markdowntest"
)

func TestBesideCJK(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"**这是强调（a）**的文字。", "<strong>这是强调（a）</strong>的文字。"},
		{"これは**「強調」**です。**終わり。**次", "これは<strong>「強調」</strong>です。<strong>終わり。</strong>次"},
		{"이것은 **강조(a)**입니다.", "이것은 <strong>강조(a)</strong>입니다."},
		{"使用**`code`**吧，*`x`*和~~（旧）~~新", "使用<strong><code>code</code></strong>吧，<em><code>x</code></em>和<del>（旧）</del>新"},
		{"中文**“强调”**中文", "中文<strong>“强调”</strong>中文"},
		{"a**(b)**c", "a**(b)**c"},
		{"在__init__中，（__强__）。", "在__init__中，（<strong>强</strong>）。"},
		{"这是==重点==文字，x==1时，a==b，如果x==中", "这是<mark>重点</mark>文字，x==1时，a==b，如果x==中"},
		{"> **中文（a）**文\n> 又**文（b）**字", "<strong>中文（a）</strong>文\n又<strong>文（b）</strong>字"},
		{"的**<b>注入</b>**系", "的<strong><b>注入</b></strong>系"},
		{"> > **文**", "<strong>文</strong>"},
		{"😀**(a)**b", "😀**(a)**b"},
	} {
		got := markdowntest.HTML(t, dialects.New(markdown.Options{Dialects: markdown.Obsidian}), tt.source)
		got = strings.NewReplacer("<blockquote>\n", "", "</blockquote>\n", "", "<p>", "", "</p>\n", "").Replace(got)
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.source, got, tt.want)
		}
	}
	for source, want := range map[string]string{"这是** 强调 **。": "**|**", "**强调**": "", "a ** b": "", "文**`x`": "**", "**强*调**": "", "*强": ""} {
		_, faults := markdowntest.Parse(markdown.Options{}, source)
		var got []string
		for _, f := range faults {
			got = append(got, source[f.Start:f.Stop])
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: %q, want %q", source, s, want)
		}
	}
}
