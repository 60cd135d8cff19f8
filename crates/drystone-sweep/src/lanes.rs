//! Eight numbers at a time, on the instructions the machine has: AVX-512, AVX2 or none in particular. Holds
//! no fused multiplication and no approximate reciprocal, so that all three give the same bits.
#![allow(unsafe_code)]

use super::body_states::Phase;
use super::octet::{F64x8, WIDTH};
use drystone_math::instructions;
use std::ops::{Add, Div, Mul, Sub};

/// Eight numbers in registers. Comparisons are false where a number is not one.
///
/// Code in lanes is only fast where all of it is inlined into `Instructions::run`: functions are
/// `#[inline(always)]`, and there are no closures, which cannot be.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A truth value for each lane.
    type Mask: Copy;

    fn splat(number: f64) -> Self;
    fn load(from: &F64x8) -> Self;
    fn store(self, to: &mut F64x8);
    fn sqrt(self) -> Self;
    fn less(self, other: Self) -> Self::Mask;
    fn at_most(self, other: Self) -> Self::Mask;
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    fn either(one: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Bit i is lane i.
    fn bits(mask: Self::Mask) -> u8;
    /// The first `N` numbers of eight lines, lane i from line `at[i]`.
    fn gather<const N: usize>(lines: &Phase, at: &[u32; WIDTH]) -> [Self; N];
    /// Overwrites the first `N` numbers of eight lines; lines that occur twice must be given the same
    /// numbers.
    fn scatter<const N: usize>(lines: &Phase, at: &[u32; WIDTH], numbers: &[Self; N]);
}

/// Work that can be done with any kind of lanes. `run` must be `#[inline(always)]`.
pub(crate) trait Work {
    type Output;
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Instructions that the machine has: values are made in this file alone, which asks the machine before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instructions(Kind);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[default]
    Plain,
}

impl Instructions {
    /// Those that every machine has.
    pub const PLAIN: Self = Self(Kind::Plain);

    /// The widest this machine has, unless plain ones are asked for.
    pub fn best() -> Self {
        if instructions::plain() { Self::PLAIN } else { Self::all()[0] }
    }

    /// All this machine has, the widest first.
    pub fn all() -> Vec<Self> {
        let mut found = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                found.push(Self(Kind::Avx512));
            }
            if is_x86_feature_detected!("avx2") {
                found.push(Self(Kind::Avx2));
            }
        }
        found.push(Self::PLAIN);
        found
    }

    /// As people call it.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            Kind::Plain => "plain",
        }
    }

    /// Does the work with these instructions.
    pub(crate) fn run<K: Work>(self, work: K) -> K::Output {
        match self.0 {
            // SAFETY: a value of this kind is only made where the machine has the instructions, see `all`
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::run_avx512(work) },
            // SAFETY: as above
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::run_avx2(work) },
            Kind::Plain => work.run::<Plain>(),
        }
    }
}

/// Lanes without special instructions.
#[derive(Clone, Copy)]
pub(crate) struct Plain([f64; WIDTH]);

impl Plain {
    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

/// Arithmetic lane by lane.
macro_rules! plain_operator {
    ($operator:ident, $name:ident, $sign:tt) => {
        impl $operator for Plain {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                self.with(other, |a, b| a $sign b)
            }
        }
    };
}
plain_operator!(Add, add, +);
plain_operator!(Sub, sub, -);
plain_operator!(Mul, mul, *);
plain_operator!(Div, div, /);

impl Lanes for Plain {
    type Mask = [bool; WIDTH];

    #[inline(always)]
    fn splat(number: f64) -> Self {
        Self([number; WIDTH])
    }
    #[inline(always)]
    fn load(from: &F64x8) -> Self {
        Self(from.0)
    }
    #[inline(always)]
    fn store(self, to: &mut F64x8) {
        to.0 = self.0;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        std::array::from_fn(|i| self.0[i] < other.0[i])
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> Self::Mask {
        std::array::from_fn(|i| self.0[i] <= other.0[i])
    }
    #[inline(always)]
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        std::array::from_fn(|i| one[i] & other[i])
    }
    #[inline(always)]
    fn either(one: Self::Mask, other: Self::Mask) -> Self::Mask {
        std::array::from_fn(|i| one[i] | other[i])
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|i| if mask[i] { yes.0[i] } else { no.0[i] }))
    }
    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        (0..WIDTH).fold(0, |bits, i| bits | (u8::from(mask[i]) << i))
    }
    #[inline(always)]
    fn gather<const N: usize>(lines: &Phase, at: &[u32; WIDTH]) -> [Self; N] {
        let mut found = [Self::splat(0.0); N];
        for i in 0..WIDTH {
            let line = lines.read(at[i]);
            for k in 0..N {
                found[k].0[i] = line.0[k];
            }
        }
        found
    }
    #[inline(always)]
    fn scatter<const N: usize>(lines: &Phase, at: &[u32; WIDTH], numbers: &[Self; N]) {
        for i in 0..WIDTH {
            let mut line = F64x8::ZERO;
            for k in 0..N {
                line.0[k] = numbers[k].0[i];
            }
            lines.write(at[i], &line);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86;
