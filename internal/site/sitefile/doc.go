// Package sitefile has the rules for the files of a site: which are pages, how large they may be, how
// they are read, and which may be published. The site's folder is opened so that no path and no
// symbolic link leads out of it (os.Root), but a file in it may still be hidden, or not be a regular
// file.
package sitefile
