package bench

import (
	"math"
	"math/rand/v2"
)

// samples is how many elements of a matmul result are checked.
const samples = 64

// A matrix of n x n elements in rows repeats a list of random elements: it is
// made on the GPU from the few that are sent there, and the CPU knows each
// element of it without holding them all. The list's length is a prime, and
// longer than any row, so that no two elements of a row or a column share a place.
type matrix struct {
	n        int
	elements []float32
}

// period is the length of such a list.
const period = 1_048_583

func (m matrix) at(row, column int) float64 {
	return float64(m.elements[(row*m.n+column)%len(m.elements)])
}

// tolerance is how far an element may be off, relative to the sum of its
// products' magnitudes S = sum |a||b|.
//
// A product of two elements is exact in the tensor cores and off by one rounding
// in FP32; what counts are the sums. The terms have random signs, so that a
// partial sum is about s sqrt(k) with s = 1/3 their deviation, while S is near
// n/4. Each of the n additions is off by at most 2u of the partial sum, with u =
// 2^-24 and a factor of two because tensor cores truncate (Fasi, Higham, Mikaitis and
// Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021,
// https://doi.org/10.7717/peerj-cs.330). Added up, all in the same direction:
//
//	n * 2u * sqrt(n)/3 / (n/4) = 8/3 u sqrt(n)
//
// Partial sums that are six deviations large are as good as impossible, which
// makes it 16 u sqrt(n); a sum in any other order, in blocks or in a tree, is off
// by less. The worst case without such luck, n u (Higham, "Accuracy and Stability of
// Numerical Algorithms", 2002, section 3.1), would be of no use: for large n it
// is what a result of pure noise is off by. That is 4/3 / sqrt(n), which for
// n = 65,536 is still ten times the tolerance and more.
//
// Writing the sum in its type rounds it once more, by 2^-p of it for a significand
// of p bits; and it is no more than six deviations, 8/sqrt(n), of S. Four times
// that, for cuBLAS may round the parts of a split sum too.
func tolerance(dtype string, n int) float64 {
	root := math.Sqrt(float64(n))
	sums := 16 * math.Exp2(-24) * root
	p := significand[dtype]
	if size(dtype) == 4 { // TF32 are only the factors
		p = 24
	}
	return sums + 4*math.Exp2(-float64(p))*min(1, 8/root)
}

// places returns the elements of a result that are checked: its corners and random
// ones.
func places(r *rand.Rand, n int) [][2]int {
	out := [][2]int{{0, 0}, {0, n - 1}, {n - 1, 0}, {n - 1, n - 1}}
	for len(out) < samples {
		out = append(out, [2]int{r.IntN(n), r.IntN(n)})
	}
	return out
}

// errorOf returns the error of an element of a b, relative to the sum of the magnitudes
// of its products. It is NaN if the element is.
func errorOf(a, b matrix, row, column int, got float64) float64 {
	var sum, magnitude float64
	for k := range a.n {
		product := a.at(row, k) * b.at(k, column)
		sum += product
		magnitude += math.Abs(product)
	}
	return math.Abs(got-sum) / magnitude
}
