package page

import "fmt"

// ids are the ids of a page. Those that the author gave are added before any is derived.
type ids struct {
	taken map[string]bool
	// lastNumber is the highest number that derive has appended, by id.
	lastNumber map[string]int
}

// add adds an id, and reports whether it is new.
func (s *ids) add(id string) bool {
	if s.taken[id] {
		return false
	}
	s.taken[id] = true
	return true
}

// derive adds and returns base, or base with the first number that makes an id which the page does
// not have. Ids are never freed, so the search continues where the last one for the same base ended.
func (s *ids) derive(base string) string {
	id := base
	i := s.lastNumber[base]
	if i > 0 {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	for !s.add(id) {
		i++
		id = fmt.Sprintf("%s-%d", base, i)
	}
	if i > 0 {
		s.lastNumber[base] = i
	}
	return id
}
