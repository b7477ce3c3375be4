package serve

import (
	"net/http"
	"time"
)

// mostConnections bounds the connections that are served at once, and so their memory. Further ones wait.
const mostConnections = 4096

// maxConnections returns the number of connections that leaves half of the program's open files to the build.
func maxConnections() int { return max(min(mostConnections, openFiles()/2), 2) }

// maxStreams returns the number of streams that leaves some connections to pages, as a stream never ends by itself.
func maxStreams() int { return max(maxConnections()*3/4, 1) }

// limit sets the time for the next write. It fails only in tests, where w is not a connection.
func limit(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeLimit))
}

// paced sets the time for each part of a long answer, so that a large file may take long, but a client that reads
// nothing is dropped.
type paced struct{ http.ResponseWriter }

func (p paced) Write(data []byte) (int, error) {
	limit(p.ResponseWriter)
	return p.ResponseWriter.Write(data)
}

// Unwrap returns the writer for [http.ResponseController].
func (p paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// unread bounds the wait for a body that is not used: net/http reads it before it answers, however long the
// client takes to send it. The connection is closed after the answer.
func unread(w http.ResponseWriter, r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(grace))
		w.Header().Set("Connection", "close")
	}
}
