// Package attribute parses the text after an opening fence, such as
//
//	bash {run name=gpus timeout=30s needs="gpus >= 1"}
//
// [ParseInfo] returns the language and the attributes with their offsets. What an attribute means is
// decided by packages blocks and include.
package attribute
