// The steps of exp, the one source for host, device and every instruction set. `Lane` says what a value is (a float, a
// vector register, a thread's register) and brings fma, set and so on; the steps are the same and so are the bits.
//
// No include guard and no namespace: included inside the namespace that wants it, because a vector version must be
// compiled where its instruction set is switched on.

// exp(d) for d <= 0; +0 below the cut. d is not NaN.
template <class Lane>
WPRIM_HD typename Lane::Value exp_nonpositive(const Lane& lane, typename Lane::Value d) {
  using K = ::wprim::math::Exp<typename Lane::Number>;
  const auto t = lane.fma(d, lane.set(K::kLog2e), lane.set(K::kMagic));
  const auto n = lane.sub(t, lane.set(K::kMagic));
  auto r = lane.fma(lane.negate(n), lane.set(K::kLn2Hi), d);
  r = lane.fma(lane.negate(n), lane.set(K::kLn2Lo), r);
  auto p = lane.set(K::term(K::kTerms - 1));
  for (int i = K::kTerms - 2; i >= 0; --i) p = lane.fma(p, r, lane.set(K::term(i)));
  // The low bits of t are n, so they go straight into the exponent of p: exact, the result is a normal number.
  return lane.zero_below(K::kCut, d, lane.add_to_exponent(p, t));
}
