package verify

import "strings"

// splitLines splits a text into its lines, without their ends.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func countLines(text string) int { return len(splitLines(text)) }
