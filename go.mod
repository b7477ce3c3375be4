module github.com/gpudocs/gpudocs

go 1.26
