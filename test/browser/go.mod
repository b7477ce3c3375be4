module github.com/gpudocs/gpudocs/test/browser

go 1.26.0

require github.com/chromedp/chromedp v0.23.0
