// Package workspace opens the folder of a site for commands: its configuration, pages and theme,
// the reports in results/, who signed them, and the caches in .gpudocs/. It locks, signs and writes
// reports.
package workspace
