// Package serve is the server behind "gpudocs serve": it watches the site's
// folder, builds the site again after every change, and updates the open pages,
// or shows what is wrong in them.
//
//	listener, err := net.Listen("tcp", "localhost:1313")
//	...
//	server := serve.New(serve.Preview{
//		Listener: listener,
//		Root:     "mysite",
//		Ignore:   func(path string, dir bool) bool { return path == ".git" || path == "public" },
//		Build:    build,
//		Log:      os.Stderr,
//	})
//	err = server.Serve(ctx) // until ctx ends
//
// Data flows from the folder to the browser: changed paths (watch.go, inbox.go) to a build (build.go), its [Snapshot] to
// pages (page.go, live.go), and an event to each open page (events.go).
//
// # Building
//
// Build is called once at the start, after each burst of changes, and after
// [Server.Rebuild]. Two builds never run at once: changes during one are passed to
// the next. Build gets the changed paths, sorted, slash-separated and relative to
// Root. A folder among them stands for everything that is or was below it. Nil stands
// for everything: the first build gets it, and the build after the kernel dropped events.
//
// A build succeeds if it returns a [Snapshot], which is served from then on, even if there are
// errors among the diagnostics. If a build fails, the last snapshot stays. If
// there is none yet, all pages have status 500.
//
// # Serving
//
// "/x/" is the file x/index.html, and "/x" redirects to it. A path without a
// file has status 404 and the site's own page: pt/404.html below "/pt/", or else
// 404.html. No answer may be cached. The Content-Security-Policy has nothing "unsafe",
// so that a theme works on a strict host too.
//
// Every HTML page is sent with one more script tag before </body>. Paths below
// "/_gpudocs/" belong to the server:
//
//	/_gpudocs/live.js   updates the page. Its query is the page's build, and its
//	                    attributes data-scripts and data-images change if a script or an
//	                    image of the page changes
//	/_gpudocs/live.css  the style of the overlay
//	/_gpudocs/events    server-sent events
//
// A stream begins with the current state and continues with every new one. The
// event is "reload" for a page of an earlier build, and "problems" for one that is up to
// date. Both have the same JSON:
//
//	{"build": "k3x9-7", "errors": 1, "warnings": 0, "problems": [ ... ]}
//
// The problems are diagnostics in the form of package diag, errors first, each with its
// texts in other languages, {"translations": {"pt": {"message": "...", "hint": "..."}}}. If
// there are very many, only the first are sent. The name of a build begins with a random
// part, so that pages also notice a restarted server. A page closes its stream while
// it is hidden, because browsers open no more than six connections to one host.
//
// # What a page does with a new build
//
// After "reload" a page fetches itself, compares the answer with what it was
// made of, and replaces the elements that differ. So the reader keeps the position, the
// focus, and what is open or selected. Each new element is passed to the theme's
// gpudocs.remount, and the document gets the event "gpudocs:replaced". It gets
// "gpudocs:built" for every build after which the page was not reloaded. Changed style
// sheets and images are replaced too. The page is reloaded if scripts or controls around
// <main> have changed, or if the comparison fails.
//
// # Actions
//
// With [Preview.Actions], pages have a button behind each element that an action names.
// The server must then listen on a loopback address. Each start has a
// token. [Server.OpenPath] has it behind "#", where no log and no other site sees it;
// the page there stores it in the browser for the pages of this server. No page contains
// it, so another user of the machine, who can reach the port, can run nothing.
//
//	/_gpudocs/run       the page that takes the token; run.js and open.js are scripts
//	/_gpudocs/actions   GET ?page=/pt/x/ lists the actions of a page, POST runs one
//
// Files beside the pages that may contain scripts are sent with the policy "sandbox" and
// without our script: otherwise they would have this origin, and could read the token.
//
// Both methods need the token in the header Gpudocs-Token. POST also needs JSON, the Origin
// of this server, and "same-origin" in Sec-Fetch-Site if the browser sends that:
//
//	{"action": "ID"}
//
// The answer is a line of JSON for each step, and a last one for the end:
//
//	{"step": "setup"}
//	{"ok": true, "text": "2 passed, 0 failed, 0 error, 0 skipped"}
//	{"error": "the code was edited meanwhile", "code": "edited"}
//
// One action runs at a time; during it, others get status 409. An action ends with its
// request, that is if the page is closed or cancels the request, and with the server, which
// waits for it. Without Actions these paths have status 404, and POST has 405.
//
// # Which requests are answered
//
// Every site that is open in the browser can reach a server on localhost. So the Host of
// a request must be this server (against DNS rebinding), and requests from other origins
// or by pages of other sites are refused, except for a followed link. Host may be localhost,
// 127.0.0.1, [::1], the listener's address or [Preview.Name], each with the listener's
// port. A listener on all addresses also accepts this machine's other addresses and its name.
//
// A client has ten seconds to send a request, and ten for each part of the
// answer. A body where none is expected is not awaited. At most 4096 connections are served
// at once, or half of the files that the program may open. A quarter of them is never
// used for event streams, so that pages are answered however many are open. A stream
// takes about 26 KB and two goroutines, and delays no build.
//
// # Watching
//
// Changes come from the kernel, through fsnotify. If that fails, for instance because of a
// limit, the folder is polled every second, and Tell is called once. [Preview.Poll] polls from
// the start, because network file systems do not report changes by other machines. If the
// folder vanishes or is replaced (perhaps a link leads elsewhere), Build is called for
// everything, and again when it is back; the last good snapshot is served meanwhile. If more
// than 50 files change at once, as in a checkout, the build waits for a silence that is six
// times as long, but at most ten seconds. Links are not followed. A change of only permissions
// or times is ignored.
package serve
