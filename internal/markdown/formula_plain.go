package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Plain returns the formula as text without TeX, for titles and lists of contents, which cannot
// contain formulas. "\ell_2" is "ℓ₂"; a command without a sign is replaced by its name.
func (f *Formula) Plain() string {
	p := plain{rest: f.Typeset()}
	if len(p.rest) > maxPlain {
		return p.rest
	}
	p.run()
	return strings.Join(strings.Fields(p.out.String()), " ")
}

// maxPlain bounds the TeX that is converted, in bytes.
const maxPlain = 1 << 10

// signs maps commands to the signs that they stand for.
var signs = signsOf(`alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π
	rho ρ sigma σ tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω
	ell ℓ infty ∞ partial ∂ nabla ∇ times × cdot · div ÷ pm ± le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ sim ∼ equiv ≡ propto ∝ ll ≪ gg ≫
	in ∈ notin ∉ subset ⊂ subseteq ⊆ cup ∪ cap ∩ forall ∀ exists ∃ neg ¬ land ∧ lor ∨ to → rightarrow → leftarrow ← Rightarrow ⇒ iff ⇔ mapsto ↦
	sum ∑ prod ∏ int ∫ sqrt √ top ⊤ ast ∗ star ⋆ circ ∘ odot ⊙ otimes ⊗ oplus ⊕ ldots … dots … cdots ⋯ prime ′ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉
	langle ⟨ rangle ⟩ mid | vert | Vert ‖ | ‖ lVert ‖ rVert ‖ lvert | rvert | { { } } % % $ $ # # & & _ _`)

func signsOf(list string) map[string]string {
	m := map[string]string{}
	words := strings.Fields(list)
	for i := 0; i+1 < len(words); i += 2 {
		m[words[i]] = words[i+1]
	}
	return m
}

// silent are the commands that only change the appearance.
var silent = strings.Fields(`mathbf mathrm mathit mathsf mathtt mathcal mathbb mathfrak mathscr boldsymbol bm text textbf textit textrm mbox operatorname
	left right big Big bigg Bigg bigl bigr displaystyle textstyle limits nolimits begin end !`)

// high and low map digits and signs to superscripts and subscripts.
var (
	high = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
		"+", "⁺", "-", "⁻", "n", "ⁿ", "i", "ⁱ")
	low = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉",
		"+", "₊", "-", "₋", "i", "ᵢ", "j", "ⱼ", "n", "ₙ", "k", "ₖ")
)

// plain writes TeX as text.
type plain struct {
	rest string
	out  strings.Builder
}

func (p *plain) run() {
	for p.rest != "" {
		switch c := p.rest[0]; c {
		case '\\':
			p.command()
		case '^', '_':
			p.rest = p.rest[1:]
			p.script(c)
		case '{', '}', '&':
			p.rest = p.rest[1:]
		case '~':
			p.rest = " " + p.rest[1:]
		default:
			_, n := utf8.DecodeRuneInString(p.rest)
			p.out.WriteString(p.rest[:n])
			p.rest = p.rest[n:]
		}
	}
}

func (p *plain) command() {
	m := command.FindStringSubmatch(p.rest)
	if m == nil { // a backslash at the end of a line, or of all
		p.rest = p.rest[1:]
		return
	}
	name := m[1] + m[2]
	p.rest = p.rest[len(m[0]):]
	switch sign, known := signs[name]; {
	case known:
		p.out.WriteString(sign)
	case strings.HasSuffix(name, "frac") && len(name) <= 5: // \frac, \dfrac, \tfrac
		above, below := p.argument(), p.argument()
		p.out.WriteString(above + "/" + below)
	case slices.Contains(silent, name):
	case m[1] == "" || name == "quad" || name == "qquad": // \, \; \\
		p.out.WriteByte(' ')
	default:
		p.out.WriteString(" " + name)
		if p.rest != "" && strings.IndexByte(" ({^_", p.rest[0]) < 0 {
			p.out.WriteByte(' ')
		}
	}
}

// script writes a superscript or subscript, with small characters if they exist.
func (p *plain) script(mark byte) {
	text := p.argument()
	small := high.Replace(text)
	if mark == '_' {
		small = low.Replace(text)
	}
	for i := range len(text) {
		if mark == '^' && high.Replace(text[i:i+1]) == text[i:i+1] || mark == '_' && low.Replace(text[i:i+1]) == text[i:i+1] {
			p.out.WriteString(string(mark) + text)
			return
		}
	}
	p.out.WriteString(small)
}

// argument reads a group, a command or a character, and returns it as text.
func (p *plain) argument() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return ""
	}
	end, depth := 0, 0
	switch p.rest[0] {
	case '{':
		for end = 0; end < len(p.rest); end++ {
			switch p.rest[end] {
			case '\\':
				end++
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		end++
	case '\\':
		end = max(1, len(command.FindString(p.rest)))
	default:
		_, end = utf8.DecodeRuneInString(p.rest)
	}
	end = min(end, len(p.rest))
	inner := plain{rest: strings.TrimSuffix(strings.TrimPrefix(p.rest[:end], "{"), "}")}
	p.rest = p.rest[end:]
	inner.run()
	return strings.TrimSpace(inner.out.String())
}
