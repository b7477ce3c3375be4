package serve

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gpudocs/gpudocs/internal/text"
)

// Actions are what pages may run; see the package comment. They are used concurrently.
type Actions interface {
	// Of returns the actions of the page in a published file, in the order of the page.
	Of(file string) []Action
	// Run runs an action until it is done or ctx ends, which it does if the page is closed or cancels the
	// request. Two never run at once. say tells the page which step begins; "" is waiting for a
	// run of another program.
	Run(ctx context.Context, id string, say func(step string)) (Outcome, error)
}

// An Action is a button in a page.
type Action struct {
	// ID is the argument of Run.
	ID string `json:"id"`
	// Behind is the HTML id of the element behind which the button is put.
	Behind string `json:"behind"`
	// Steps are the names of the steps, in order.
	Steps []string `json:"steps"`
}

// An Outcome is the result of a finished action.
type Outcome struct {
	// OK reports whether all checks passed.
	OK bool `json:"ok"`
	// Text is a summary in English.
	Text string `json:"text"`
}

// ErrUnknown is the error of Run for an action that does not exist, or no longer.
var ErrUnknown = errors.New("no such action")

// ErrEdited is the error of Run if the code of the action has changed.
var ErrEdited = text.Say("cli.run-code-edited")

// refusal returns an error as JSON. The code lets the page show its own text.
func refusal(err error) map[string]string {
	code := ""
	switch {
	case errors.Is(err, ErrUnknown):
		code = "unknown"
	case errors.Is(err, ErrEdited):
		code = "edited"
	}
	return map[string]string{"error": err.Error(), "code": code}
}

// tokenHeader is the header with the token. A page of another site may not set it: the browser would first
// send a preflight request, which is refused.
const tokenHeader = "Gpudocs-Token"

// maxRequest bounds the body of a request, in bytes.
const maxRequest = 4 << 10

// An actor answers requests for actions.
type actor struct {
	Actions
	token   string
	running sync.Mutex
}

// list answers with the actions of a page.
func (a *actor) list(w http.ResponseWriter, r *http.Request) {
	if !a.authorized(w, r) {
		return
	}
	list := []Action{}
	if name, ok := fileName(r.URL.Query().Get("page")); ok {
		list = append(list, a.Of(name)...)
	}
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	answer(w, r, http.StatusOK, "application/json", data)
}

// run runs an action for as long as the request lasts. The answer is a line of JSON for each step, and one for
// the end.
func (a *actor) run(w http.ResponseWriter, r *http.Request) {
	if !a.authorized(w, r) {
		return
	}
	if status, text := refuse(r); status != 0 {
		http.Error(w, text, status)
		return
	}
	controller := http.NewResponseController(w)
	_ = controller.SetReadDeadline(time.Now().Add(writeLimit)) // no connection in tests
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	_ = controller.SetReadDeadline(time.Time{})
	id, ok := parseRequest(body)
	if err != nil || !ok {
		http.Error(w, `The request must be {"action": "..."}.`, http.StatusBadRequest)
		return
	}
	if !a.running.TryLock() {
		http.Error(w, "Another run is going on.", http.StatusConflict)
		return
	}
	defer a.running.Unlock()
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	w.Header().Set("Content-Type", "application/x-ndjson")
	out := &actionWriter{w: w, controller: controller, gone: stop}
	outcome, err := a.Run(ctx, id, func(step string) { out.write(map[string]string{"step": step}) })
	switch {
	case ctx.Err() != nil: // the client is gone
	case err != nil:
		out.write(refusal(err))
	default:
		out.write(outcome)
	}
}

// authorized reports whether the request has the token, and refuses it if not.
func (a *actor) authorized(w http.ResponseWriter, r *http.Request) bool {
	ok := subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(a.token)) == 1
	if !ok {
		http.Error(w, "Only who has opened this server by the address that the terminal shows may do this.", http.StatusForbidden)
	}
	return ok
}

// refuse returns the status and text with which a request for an action is refused, or 0. The guard has refused
// requests that name another origin; a request for an action must name this one.
func refuse(r *http.Request) (status int, text string) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch site := r.Header.Get("Sec-Fetch-Site"); {
	case r.Header.Get("Origin") == "", site != "" && site != "same-origin":
		return http.StatusForbidden, "Only a page of this server may ask for this."
	case err != nil || kind != "application/json":
		return http.StatusUnsupportedMediaType, "The request must be JSON."
	}
	return 0, ""
}

// parseRequest reads {"action": "..."} and nothing else.
func parseRequest(data []byte) (id string, ok bool) {
	var request struct {
		Action *string `json:"action"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if !utf8.Valid(data) || d.Decode(&request) != nil || request.Action == nil || *request.Action == "" {
		return "", false
	}
	if _, err := d.Token(); err != io.EOF {
		return "", false
	}
	return *request.Action, !strings.ContainsRune(*request.Action, 0)
}

// An actionWriter writes values as lines of JSON. It calls gone if the client is gone.
type actionWriter struct {
	mu         sync.Mutex
	w          http.ResponseWriter
	controller *http.ResponseController
	gone       func()
}

func (l *actionWriter) write(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings can always be encoded
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	limit(l.w)
	if _, err := l.w.Write(append(data, '\n')); err != nil || l.controller.Flush() != nil {
		l.gone()
	}
}
