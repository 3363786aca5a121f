//! The operations of the group, each a call of curve25519-dalek between decoding and encoding.
//!
//! Only `combine_public` may take a time that depends on its scalars.

#![forbid(unsafe_code)]

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT as GENERATOR;
use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use zeroize::Zeroizing;

use crate::elements::{Refused, SIZE, doubled_and_encoded, element, elements, encoded, remembered, scalars};

pub fn add(p: &[u8], q: &[u8]) -> Result<Vec<u8>, Refused> {
    Ok(remembered(element(p)? + element(q)?))
}

pub fn sub(p: &[u8], q: &[u8]) -> Result<Vec<u8>, Refused> {
    Ok(remembered(element(p)? - element(q)?))
}

pub fn total(points: &[u8]) -> Result<Vec<u8>, Refused> {
    Ok(encoded(&[elements(points)?.iter().sum()]))
}

pub fn mult(k: &[u8], p: &[u8]) -> Result<Vec<u8>, Refused> {
    Ok(encoded(&[one(&scalars(k)?)? * element(p)?]))
}

pub fn base(k: &[u8]) -> Result<Vec<u8>, Refused> {
    Ok(encoded(&[RistrettoPoint::mul_base(one(&scalars(k)?)?)]))
}

pub fn from_uniform(data: &[u8]) -> Result<Vec<u8>, Refused> {
    let bytes: &[u8; 64] = data.try_into().map_err(|_| Refused::Length)?;
    Ok(encoded(&[RistrettoPoint::from_uniform_bytes(bytes)]))
}

/// Add k P over the terms of each row, in constant time. `widths` says how many terms each row has.
pub fn combine(widths: &[usize], k: &[u8], p: &[u8]) -> Result<Vec<u8>, Refused> {
    rows(widths, k, p, |k, p| match (k, p) {
        ([k], [p]) if *p == GENERATOR => RistrettoPoint::mul_base(k),
        ([k], [p]) => k * p,
        _ => RistrettoPoint::multiscalar_mul(k, p),
    })
}

/// The same, in a time that depends on the scalars.
pub fn combine_public(widths: &[usize], k: &[u8], p: &[u8]) -> Result<Vec<u8>, Refused> {
    rows(widths, k, p, |k, p| match (k, p) {
        ([of_generator, k], [g, p]) if *g == GENERATOR => {
            RistrettoPoint::vartime_double_scalar_mul_basepoint(k, p, of_generator)
        }
        _ => RistrettoPoint::vartime_multiscalar_mul(k, p),
    })
}

/// Give Q + k P for each k and its Q, in constant time.
pub fn mask(p: &[u8], k: &[u8], q: &[u8]) -> Result<Vec<u8>, Refused> {
    if k.len() != q.len() {
        return Err(Refused::Length);
    }
    let (p, k, q) = (element(p)?, scalars(k)?, elements(q)?);
    let times = |k| {
        if p == GENERATOR {
            RistrettoPoint::mul_base(k)
        } else {
            k * p
        }
    };
    let masked: Vec<RistrettoPoint> = k.iter().zip(&q).map(|(k, q)| q + times(k)).collect();
    Ok(encoded(&masked))
}

fn one(scalars: &[Scalar]) -> Result<&Scalar, Refused> {
    match scalars {
        [k] => Ok(k),
        _ => Err(Refused::Length),
    }
}

/// Halve scalars modulo the order, so that the doubles of what they give are wanted.
fn half(scalars: &[Scalar]) -> Zeroizing<Vec<Scalar>> {
    Zeroizing::new(scalars.iter().map(Scalar::div_by_2).collect())
}

fn rows(
    widths: &[usize],
    k: &[u8],
    p: &[u8],
    sum: impl Fn(&[Scalar], &[RistrettoPoint]) -> RistrettoPoint,
) -> Result<Vec<u8>, Refused> {
    let terms = widths
        .iter()
        .try_fold(0usize, |terms, width| terms.checked_add(*width))
        .ok_or(Refused::Length)?;
    if Some(k.len()) != terms.checked_mul(SIZE) || p.len() != k.len() {
        return Err(Refused::Length);
    }
    let (halves, points) = (half(&scalars(k)?), elements(p)?);
    let (mut k, mut p) = (halves.as_slice(), points.as_slice());
    let mut sums = Vec::with_capacity(widths.len());
    for width in widths {
        let ((k_here, k_rest), (p_here, p_rest)) = (k.split_at(*width), p.split_at(*width));
        sums.push(sum(k_here, p_here));
        (k, p) = (k_rest, p_rest);
    }
    Ok(doubled_and_encoded(&sums))
}
