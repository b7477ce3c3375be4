package serve

import (
	"net/http"
	"time"
)

// mostConnections bounds the connections that are served at once, so that whoever opens
// ever more of them takes a bounded part of the memory. Further ones wait.
const mostConnections = 4096

// maxConnections leaves half of the files that this program may open to the build.
func maxConnections() int { return max(min(mostConnections, openFiles()/2), 2) }

// maxStreams leaves some of the connections to pages: a stream never ends by itself.
func maxStreams() int { return max(maxConnections()*3/4, 1) }

// limit gives the client time from now on. A failure means that w is not a
// connection, as in tests.
func limit(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
}

// paced gives the client time for each part of a long answer: what is large may take
// long, but whoever reads nothing is left.
type paced struct{ http.ResponseWriter }

func (p paced) Write(data []byte) (int, error) {
	limit(p.ResponseWriter)
	return p.ResponseWriter.Write(data)
}

// Unwrap is for [http.ResponseController].
func (p paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// unread bounds the wait for a body that nobody wants: net/http reads it before it
// answers, for as long as the client takes to send it. The connection ends with the answer.
func unread(w http.ResponseWriter, r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(grace))
		w.Header().Set("Connection", "close")
	}
}
