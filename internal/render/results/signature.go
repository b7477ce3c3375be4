package results

import (
	"github.com/gpudocs/gpudocs/internal/render/theme"
	"github.com/gpudocs/gpudocs/internal/text/invisible"
)

// A Signature names the signer of a report. The zero value is that of a site that does not
// list any keys.
type Signature struct {
	State SignatureState
	// By is the signer, or the fingerprint of a key that the site does not list.
	By string
}

// A SignatureState is the suffix of a text's key and of a CSS class.
type SignatureState string

// The states of a signature.
const (
	NotSigned          SignatureState = "none"
	Signed             SignatureState = "signed"
	SignedUnknown      SignatureState = "unknown"       // with a key that the site does not list
	SignedOtherMachine SignatureState = "other-machine" // with a key that may not sign for this machine
	SignedOther        SignatureState = "altered"       // the signature is that of other content
)

// signature returns the view of a signature.
func (v *Presenter) signature(s Signature) theme.SignatureView {
	if s.State == "" {
		return theme.SignatureView{}
	}
	return theme.SignatureView{State: string(s.State), Text: v.t.Get("signature_"+string(s.State), "by", invisible.Visible(s.By))}
}
