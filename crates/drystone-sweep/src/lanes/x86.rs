//! Lanes in the registers of x86-64 machines. Refuses nothing and checks nothing: whoever makes such lanes
//! has seen that the machine has the instructions.

use super::{F64x8, Lanes, Phase, WIDTH, Work};
use std::arch::x86_64::*;
use std::ops::{Add, Div, Mul, Sub};

/// Does the work with AVX-512.
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) fn run_avx512<K: Work>(work: K) -> K::Output {
    work.run::<Wide>()
}

/// Does the work with AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn run_avx2<K: Work>(work: K) -> K::Output {
    work.run::<Halves>()
}

/// One register of AVX-512.
#[derive(Clone, Copy)]
pub(super) struct Wide(__m512d);

/// Two registers of AVX.
#[derive(Clone, Copy)]
pub(super) struct Halves(__m256d, __m256d);

// Methods of `Wide` run inside `run_avx512` only, those of `Halves` inside `run_avx2`: the callers of both
// have seen that the machine has the instructions. Octets are aligned to 64 bytes, and so are lines.

/// Arithmetic lane by lane.
macro_rules! operator {
    ($operator:ident, $name:ident, $wide:ident, $half:ident) => {
        impl $operator for Wide {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: runs inside `run_avx512`
                Self(unsafe { $wide(self.0, other.0) })
            }
        }
        impl $operator for Halves {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: runs inside `run_avx2`
                unsafe { Self($half(self.0, other.0), $half(self.1, other.1)) }
            }
        }
    };
}
operator!(Add, add, _mm512_add_pd, _mm256_add_pd);
operator!(Sub, sub, _mm512_sub_pd, _mm256_sub_pd);
operator!(Mul, mul, _mm512_mul_pd, _mm256_mul_pd);
operator!(Div, div, _mm512_div_pd, _mm256_div_pd);

impl Lanes for Wide {
    type Mask = __mmask8;

    #[inline(always)]
    fn splat(number: f64) -> Self {
        // SAFETY: runs inside `run_avx512`
        Self(unsafe { _mm512_set1_pd(number) })
    }
    #[inline(always)]
    fn load(from: &F64x8) -> Self {
        // SAFETY: runs inside `run_avx512`; octets are aligned
        Self(unsafe { _mm512_load_pd(from.0.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, to: &mut F64x8) {
        // SAFETY: runs inside `run_avx512`; octets are aligned
        unsafe { _mm512_store_pd(to.0.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: runs inside `run_avx512`
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        // SAFETY: runs inside `run_avx512`
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> Self::Mask {
        // SAFETY: runs inside `run_avx512`
        unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        one & other
    }
    #[inline(always)]
    fn either(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        one | other
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: runs inside `run_avx512`
        Self(unsafe { _mm512_mask_blend_pd(mask, no.0, yes.0) })
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        mask
    }

    /// Two columns at a time: the pair of numbers of each line is one load, put beside three others on its
    /// way.
    #[inline(always)]
    fn gather<const N: usize>(lines: &Phase, at: &[u32; WIDTH]) -> [Self; N] {
        let mut found = [Self::splat(0.0); N];
        for pair in 0..N.div_ceil(2) {
            let even = four_pairs(lines, [at[0], at[2], at[4], at[6]], pair);
            let odd = four_pairs(lines, [at[1], at[3], at[5], at[7]], pair);
            // SAFETY: runs inside `run_avx512`
            found[2 * pair] = Self(unsafe { _mm512_unpacklo_pd(even, odd) });
            if 2 * pair + 1 < N {
                // SAFETY: runs inside `run_avx512`
                found[2 * pair + 1] = Self(unsafe { _mm512_unpackhi_pd(even, odd) });
            }
        }
        found
    }

    /// Pairs of columns, lines of even and odd lanes apart; then quadruples; then whole lines.
    #[inline(always)]
    fn scatter<const N: usize>(lines: &Phase, at: &[u32; WIDTH], numbers: &[Self; N]) {
        let mut columns = [Self::splat(0.0).0; WIDTH];
        for k in 0..N {
            columns[k] = numbers[k].0;
        }
        // SAFETY: runs inside `run_avx512`; lines are aligned, and the phase says whose they are
        unsafe {
            let mut pairs = [[columns[0]; 4]; 2];
            for k in 0..4 {
                pairs[0][k] = _mm512_unpacklo_pd(columns[2 * k], columns[2 * k + 1]);
                pairs[1][k] = _mm512_unpackhi_pd(columns[2 * k], columns[2 * k + 1]);
            }
            for odd in 0..2 {
                let [a, b, c, d] = pairs[odd];
                let low = [_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0x88>(c, d)];
                let high = [_mm512_shuffle_f64x2::<0xdd>(a, b), _mm512_shuffle_f64x2::<0xdd>(c, d)];
                let rows = [
                    _mm512_shuffle_f64x2::<0x88>(low[0], low[1]),
                    _mm512_shuffle_f64x2::<0x88>(high[0], high[1]),
                    _mm512_shuffle_f64x2::<0xdd>(low[0], low[1]),
                    _mm512_shuffle_f64x2::<0xdd>(high[0], high[1]),
                ];
                for k in 0..4 {
                    _mm512_store_pd(lines.place(at[2 * k + odd]), rows[k]);
                }
            }
        }
    }
}

/// The same pair of numbers of four lines, side by side.
#[inline(always)]
fn four_pairs(lines: &Phase, at: [u32; 4], pair: usize) -> __m512d {
    // SAFETY: runs inside `run_avx512`; lines are aligned, and the phase says whose they are
    unsafe {
        let beside = _mm512_zextpd128_pd512(_mm_load_pd(lines.place(at[0]).add(2 * pair)));
        let beside = _mm512_insertf64x2::<1>(beside, _mm_load_pd(lines.place(at[1]).add(2 * pair)));
        let beside = _mm512_insertf64x2::<2>(beside, _mm_load_pd(lines.place(at[2]).add(2 * pair)));
        _mm512_insertf64x2::<3>(beside, _mm_load_pd(lines.place(at[3]).add(2 * pair)))
    }
}

/// The same pair of numbers of two lines, side by side.
#[inline(always)]
fn two_pairs(lines: &Phase, at: [u32; 2], pair: usize) -> __m256d {
    // SAFETY: runs inside `run_avx2`; lines are aligned, and the phase says whose they are
    unsafe {
        let beside = _mm256_castpd128_pd256(_mm_load_pd(lines.place(at[0]).add(2 * pair)));
        _mm256_insertf128_pd::<1>(beside, _mm_load_pd(lines.place(at[1]).add(2 * pair)))
    }
}

impl Lanes for Halves {
    type Mask = (__m256d, __m256d);

    #[inline(always)]
    fn splat(number: f64) -> Self {
        // SAFETY: runs inside `run_avx2`
        let half = unsafe { _mm256_set1_pd(number) };
        Self(half, half)
    }
    #[inline(always)]
    fn load(from: &F64x8) -> Self {
        let start = from.0.as_ptr();
        // SAFETY: runs inside `run_avx2`; octets are aligned
        unsafe { Self(_mm256_load_pd(start), _mm256_load_pd(start.add(4))) }
    }
    #[inline(always)]
    fn store(self, to: &mut F64x8) {
        let start = to.0.as_mut_ptr();
        // SAFETY: runs inside `run_avx2`; octets are aligned
        unsafe {
            _mm256_store_pd(start, self.0);
            _mm256_store_pd(start.add(4), self.1);
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: runs inside `run_avx2`
        unsafe { Self(_mm256_sqrt_pd(self.0), _mm256_sqrt_pd(self.1)) }
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        // SAFETY: runs inside `run_avx2`
        unsafe {
            (_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0), _mm256_cmp_pd::<_CMP_LT_OQ>(self.1, other.1))
        }
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> Self::Mask {
        // SAFETY: runs inside `run_avx2`
        unsafe {
            (_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0), _mm256_cmp_pd::<_CMP_LE_OQ>(self.1, other.1))
        }
    }
    #[inline(always)]
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        // SAFETY: runs inside `run_avx2`
        unsafe { (_mm256_and_pd(one.0, other.0), _mm256_and_pd(one.1, other.1)) }
    }
    #[inline(always)]
    fn either(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        // SAFETY: runs inside `run_avx2`
        unsafe { (_mm256_or_pd(one.0, other.0), _mm256_or_pd(one.1, other.1)) }
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: runs inside `run_avx2`
        unsafe { Self(_mm256_blendv_pd(no.0, yes.0, mask.0), _mm256_blendv_pd(no.1, yes.1, mask.1)) }
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        // SAFETY: runs inside `run_avx2`
        unsafe { _mm256_movemask_pd(mask.0) as u8 | (_mm256_movemask_pd(mask.1) as u8) << 4 }
    }

    #[inline(always)]
    fn gather<const N: usize>(lines: &Phase, at: &[u32; WIDTH]) -> [Self; N] {
        let mut found = [Self::splat(0.0); N];
        for pair in 0..N.div_ceil(2) {
            let even = [two_pairs(lines, [at[0], at[2]], pair), two_pairs(lines, [at[4], at[6]], pair)];
            let odd = [two_pairs(lines, [at[1], at[3]], pair), two_pairs(lines, [at[5], at[7]], pair)];
            // SAFETY: runs inside `run_avx2`
            unsafe {
                found[2 * pair] =
                    Self(_mm256_unpacklo_pd(even[0], odd[0]), _mm256_unpacklo_pd(even[1], odd[1]));
                if 2 * pair + 1 < N {
                    found[2 * pair + 1] =
                        Self(_mm256_unpackhi_pd(even[0], odd[0]), _mm256_unpackhi_pd(even[1], odd[1]));
                }
            }
        }
        found
    }

    #[inline(always)]
    fn scatter<const N: usize>(lines: &Phase, at: &[u32; WIDTH], numbers: &[Self; N]) {
        for pair in 0..N.div_ceil(2) {
            let one = numbers[2 * pair];
            let two = if 2 * pair + 1 < N { numbers[2 * pair + 1] } else { Self::splat(0.0) };
            // SAFETY: runs inside `run_avx2`; lines are aligned, and the phase says whose they are
            unsafe {
                for (half, one, two) in [(0, one.0, two.0), (4, one.1, two.1)] {
                    let (even, odd) = (_mm256_unpacklo_pd(one, two), _mm256_unpackhi_pd(one, two));
                    _mm_store_pd(lines.place(at[half]).add(2 * pair), _mm256_castpd256_pd128(even));
                    _mm_store_pd(lines.place(at[half + 1]).add(2 * pair), _mm256_castpd256_pd128(odd));
                    _mm_store_pd(lines.place(at[half + 2]).add(2 * pair), _mm256_extractf128_pd::<1>(even));
                    _mm_store_pd(lines.place(at[half + 3]).add(2 * pair), _mm256_extractf128_pd::<1>(odd));
                }
            }
        }
    }
}
