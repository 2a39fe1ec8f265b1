module example.com/media

go 1.22
