package bench

import (
	"math"
	"math/rand/v2"
)

// samples is how many elements of a matmul result are checked.
const samples = 64

// A matrix of n x n elements in rows repeats a list of random elements, so the CPU knows
// each element without storing all. The list's length is a prime and longer than any
// row, so that no two elements of a row or a column come from the same place of the list.
type matrix struct {
	n        int
	elements []float32
}

// period is the length of such a list.
const period = 1_048_583

func (m matrix) at(row, column int) float64 {
	return float64(m.elements[(row*m.n+column)%len(m.elements)])
}

// tolerance returns the largest acceptable error of an element, relative to S, the sum
// of the magnitudes |a||b| of its terms.
//
// A term is exact in the tensor cores and rounded once in FP32, so the sums decide. The
// terms have random signs, so a partial sum is about s sqrt(k) with s = 1/3 their
// deviation, while S is near n/4. Each of the n additions has an error of at most 2u of
// the partial sum, with u = 2^-24 and a factor of two because tensor cores truncate
// (Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores",
// 2021, https://doi.org/10.7717/peerj-cs.330). If all errors add up:
//
//	n * 2u * sqrt(n)/3 / (n/4) = 8/3 u sqrt(n)
//
// Partial sums of six deviations are practically impossible, which gives 16 u sqrt(n).
// Sums in another order, in blocks or in a tree, have smaller errors. The bound of the
// worst case, n u (Higham, "Accuracy and Stability of Numerical Algorithms", 2002,
// section 3.1), is of no use: for large n it is as large as the error of random noise.
// That is 4/3 / sqrt(n), which for n = 65,536 is still more than ten times the tolerance.
//
// Storing the sum in its type rounds it once more, by 2^-p of it for a significand of p
// bits, and the sum is at most six deviations, 8/sqrt(n), of S. This is counted four
// times, because cuBLAS may round the parts of a split sum too.
func tolerance(dtype string, n int) float64 {
	root := math.Sqrt(float64(n))
	sums := 16 * math.Exp2(-24) * root
	p := significand[dtype]
	if size(dtype) == 4 { // only the factors are TF32
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
