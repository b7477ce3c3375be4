package render

// What is published beside the pages, for programs more than for readers. The content goes
// before it: a file of the same name in content/ takes its place.

func (s *Site) planAside() {
	if !s.content.Config.Without.Markdown {
		s.planTwins()
		s.planLLMs()
	}
	s.planSitemap()
	s.planPrint()
	s.planNotFound()
	if s.options.Offline {
		return
	}
	// GitHub Pages leaves out what begins with _ unless this is there.
	s.publish(".nojekyll", func(*Site) ([]byte, error) { return nil, nil })
}

// aside tells a page of what is published beside it.
func (s *Site) aside(v *PageView, at placed) {
	from := at.url()
	if !s.content.Config.Without.Markdown {
		v.Markdown = href(from, twinFile(at.page))
	}
	v.Edit = s.content.Config.EditURL(at.page.File.Name)
	v.Offline = s.options.Offline
	if sec := s.sectionOf(at); sec != nil {
		v.Print, v.PrintsAll = href(from, sec.url), s.entryOf(sec).parent == nil
	}
	v.Card = s.cardView(at.page)
}
