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

// Actions are what pages may have done, beyond being shown: see the package
// comment. Its methods are used by several goroutines at once.
type Actions interface {
	// Of lists what the page in a published file offers, in its order.
	Of(file string) []Action
	// Run does one, and returns when it is done or ctx has ended, which it does
	// when the page has gone, or does not want it any more. Two never run at once.
	// say tells the page what is being done now; "" is to wait for a run of another program.
	Run(ctx context.Context, id string, say func(step string)) (Outcome, error)
}

// An Action is a button in a page.
type Action struct {
	// ID is how Run is told of it.
	ID string `json:"id"`
	// Behind is the id of the element of the page behind which the button stands.
	Behind string `json:"behind"`
	// Steps are what will be done, in order.
	Steps []string `json:"steps"`
}

// An Outcome is what came of an action that went to its end.
type Outcome struct {
	// OK reports whether it found what was wanted.
	OK bool `json:"ok"`
	// Text says it in words, for who asks without a page.
	Text string `json:"text"`
}

// ErrUnknown is what Run returns for an action that there is not, or not any more.
var ErrUnknown = errors.New("no such action")

// ErrEdited is what Run returns when what it was asked for is another by now.
var ErrEdited = text.Say("cli.run-code-edited")

// refusal tells of an error; code is for who says it in words of their own.
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

// tokenHeader holds the token. No page of another site can set it without being
// asked for leave first, which it does not get.
const tokenHeader = "Gpudocs-Token"

// maxRequest bounds the body of a request, in bytes.
const maxRequest = 4 << 10

// An actor answers what is asked below actionsPath.
type actor struct {
	Actions
	token   string
	running sync.Mutex
}

// list tells what a page offers.
func (a *actor) list(w http.ResponseWriter, r *http.Request) {
	if !a.knows(w, r) {
		return
	}
	list := []Action{}
	if name, ok := fileName(r.URL.Query().Get("page")); ok {
		list = append(list, a.Of(name)...)
	}
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings can always be written
	}
	answer(w, r, http.StatusOK, "application/json", data)
}

// do runs an action for as long as the request lasts. The answer is a line of JSON
// for each step, and one for the end.
func (a *actor) do(w http.ResponseWriter, r *http.Request) {
	if !a.knows(w, r) {
		return
	}
	if status, text := asked(r); status != 0 {
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
	case ctx.Err() != nil: // nobody listens
	case err != nil:
		out.write(refusal(err))
	default:
		out.write(outcome)
	}
}

// knows reports whether the request holds the token, and answers where it does not.
func (a *actor) knows(w http.ResponseWriter, r *http.Request) bool {
	ok := subtle.ConstantTimeCompare([]byte(r.Header.Get(tokenHeader)), []byte(a.token)) == 1
	if !ok {
		http.Error(w, "Only who has opened this server by the address that the terminal shows may do this.", http.StatusForbidden)
	}
	return ok
}

// asked looks at how an action is asked for. The guard has let the request pass:
// it turns away what says that it is of another origin. This one must say that it
// is of this one.
func asked(r *http.Request) (status int, text string) {
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

// actionWriter writes JSON, a line each, as it comes. A client to whom nothing can be
// written any more has gone.
type actionWriter struct {
	mu         sync.Mutex
	w          http.ResponseWriter
	controller *http.ResponseController
	gone       func()
}

func (l *actionWriter) write(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings can always be written
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	limit(l.w)
	if _, err := l.w.Write(append(data, '\n')); err != nil || l.controller.Flush() != nil {
		l.gone()
	}
}
