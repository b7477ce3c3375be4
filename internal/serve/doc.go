// Package serve is the server behind "gpudocs serve": it watches the site's
// folder, builds the site again after every change, and makes the open pages
// take over what has changed, or show what is wrong.
//
//	listener, err := net.Listen("tcp", "localhost:1313")
//	...
//	server := serve.New(serve.Options{
//		Listener: listener,
//		Root:     "mysite",
//		Ignore:   func(path string, dir bool) bool { return path == ".git" || path == "public" },
//		Build:    build,
//		Log:      os.Stderr,
//	})
//	err = server.Serve(ctx) // until ctx ends
//
// # Building
//
// Build is called once at the start, after each burst of changes, and when
// [Server.Rebuild] asks for it. Two builds never run at once: what changes
// during one is handed to the next. Build gets the changed paths, sorted,
// slash-separated and relative to Root. A folder among them stands for all
// that is or was below it, and nil for everything: the first build is such a
// one, and so is the build after the kernel dropped events.
//
// A build succeeds when it returns a [Snapshot] and no diagnostic that is an
// error. Its snapshot is served from then on. A build that fails leaves the
// last good snapshot in place. Before there is any, all pages answer 500.
//
// # Serving
//
// "/x/" is the file x/index.html, and "/x" redirects to it. A path without a
// file answers 404 with the site's own page, pt/404.html below "/pt/" or else
// 404.html. Nothing is to be cached, and a Content-Security-Policy without any
// "unsafe" holds a theme to what a strict host allows.
//
// Every HTML page gets one script tag before </body>, in what is sent only. Paths
// below "/_gpudocs/" belong to the server:
//
//	/_gpudocs/live.js   keeps the page alive; its query names the page's build,
//	                    its data-scripts is another when a script of the page is,
//	                    data-images says the same of each image
//	/_gpudocs/live.css  the looks of the overlay
//	/_gpudocs/events    server-sent events
//
// A stream begins with the current state and goes on with every new one. The
// event is "reload" for a page whose build is no longer the one that is
// served, "problems" for one that is up to date; both carry the same JSON:
//
//	{"build": "k3x9-7", "errors": 1, "warnings": 0, "problems": [ ... ]}
//
// The problems are diagnostics as package diag writes them, errors first, each with its
// texts in other languages, {"translations": {"pt": {"message": "...", "hint": "..."}}}; of
// very many only the first are sent. A build's name begins with a random part,
// so that pages also notice a restarted server. A page closes its stream while
// it is hidden: browsers open no more than six connections to one host.
//
// # What a page does with a new build
//
// A page that is told to reload asks for itself, compares what comes with what it
// was made of, and replaces the elements that differ: the reader keeps the place, the
// focus, what is open and what is chosen. Each new element is handed to the theme's
// gpudocs.remount, and to whoever listens for the event "gpudocs:replaced" on the
// document, which hears "gpudocs:built" of every build that did not load it anew. A
// style sheet takes the place of another, and an image whose file has changed is drawn
// anew. Where scripts have changed, or controls around <main>, or anything does not fit,
// the page is loaded anew.
//
// # Actions
//
// With [Options.Actions] pages have a button behind each element that an action names.
// The server must listen on an address of this machine alone then. Each start has a
// token. [Server.OpenPath] holds it behind "#", where no log and no other site sees it;
// the page there keeps it in the browser for this server's pages. No page that is sent
// holds it, so that who merely reaches the port, another user of the machine, can do
// nothing.
//
//	/_gpudocs/run       the page that takes the token; run.js and open.js are scripts
//	/_gpudocs/actions   GET ?page=/pt/x/ lists what a page offers, POST does one
//
// What lies beside the pages and may bring scripts along is sent with a policy of
// "sandbox", and without ours: it would be of this origin, where the token is kept.
//
// Both want the token in the header Gpudocs-Token. POST also wants JSON, an Origin that
// is this server's, and nothing in Sec-Fetch-Site but "same-origin":
//
//	{"action": "ID"}
//
// The answer is a line of JSON for each step, and a last one for the end:
//
//	{"step": "setup"}
//	{"ok": true, "text": "2 passed, 0 failed, 0 error, 0 skipped"}
//	{"error": "the code was edited meanwhile", "code": "edited"}
//
// One action runs at a time, another is answered with 409. It lasts as long as its
// request: it ends when the page goes, when the page drops the request, and with the
// server, which waits for that end. Without Actions all this answers 404, and 405 to POST.
//
// # Who is answered
//
// A server on localhost can be reached by every site that the browser has
// open. So requests must name this server in Host (no DNS rebinding), must not
// come from another origin, and must not be made by another site's page, but
// for following a link. Host may be localhost, 127.0.0.1, [::1] or the
// listener's address, each with the listener's port, and [Options.Name]; a listener on
// all addresses also answers to this machine's other addresses and its name.
//
// A client has ten seconds to say what it wants, and as long to take each part of the
// answer; a body that nobody wants is not awaited. At most 4096 connections are served
// at once, or half of the files that the program may open; a quarter of them is never
// given to event streams, so that there are pages however many are open. One stream
// takes about 26 KB and two goroutines, and delays no build.
//
// # Watching
//
// Changes come from the kernel, by way of fsnotify. If that fails, because
// a limit is reached for instance, the folder is looked through each second
// instead, and Tell is told, once. If the folder goes, or is another than it was (a link
// may lead elsewhere), Build is asked for everything, and again when it is back; the last
// good snapshot is served meanwhile. Where more than 50 files change at once, a checkout
// for instance, the build waits until it has been quiet for six times as long as else,
// ten seconds at most. [Options.Poll] asks for that at once: network file
// systems report no changes of other machines. Links are not followed, and a
// change of nothing but permissions or times counts for nothing.
package serve
