//! Elements and scalars as bytes: read strictly, decoded once, written in batches.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use zeroize::Zeroizing;

/// Bytes of an element, and of a scalar.
pub const SIZE: usize = 32;

/// Elements in each of the two halves of the memory of decoded elements: together less than two megabytes.
const REMEMBERED: usize = 2048;

/// The reason why some bytes are not taken.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    Length,
    Element,
    Scalar,
}

impl Refused {
    pub fn says(&self) -> &'static str {
        match self {
            Refused::Length => "not the length that these arguments have",
            Refused::Element => "not the encoding of an element",
            Refused::Scalar => "a scalar that is not reduced",
        }
    }
}

/// Elements that were decoded before. When the young half is full it becomes the old one, which is forgotten.
#[derive(Default)]
struct Known {
    young: HashMap<[u8; SIZE], RistrettoPoint>,
    old: HashMap<[u8; SIZE], RistrettoPoint>,
}

impl Known {
    fn get(&self, encoding: &[u8; SIZE]) -> Option<RistrettoPoint> {
        self.young.get(encoding).or_else(|| self.old.get(encoding)).copied()
    }

    fn insert(&mut self, encoding: [u8; SIZE], point: RistrettoPoint) {
        if self.young.len() >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(encoding, point);
    }
}

fn known() -> MutexGuard<'static, Known> {
    static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
    // No code that can panic runs while it is locked, and what is in it is right at any time.
    KNOWN
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Read as many elements as there are; the length must be a multiple of theirs.
pub fn elements(data: &[u8]) -> Result<Vec<RistrettoPoint>, Refused> {
    let (encodings, rest) = data.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(Refused::Length);
    }
    let found: Vec<Option<RistrettoPoint>> = {
        let known = known();
        encodings.iter().map(|encoding| known.get(encoding)).collect()
    };
    let mut fresh = Vec::new();
    let mut points = Vec::with_capacity(encodings.len());
    for (encoding, point) in encodings.iter().zip(found) {
        let point = match point {
            Some(point) => point,
            None => {
                let point = CompressedRistretto(*encoding).decompress().ok_or(Refused::Element)?;
                fresh.push((*encoding, point));
                point
            }
        };
        points.push(point);
    }
    if !fresh.is_empty() {
        let mut known = known();
        for (encoding, point) in fresh {
            known.insert(encoding, point);
        }
    }
    Ok(points)
}

/// Read one element.
pub fn element(data: &[u8]) -> Result<RistrettoPoint, Refused> {
    match elements(data)?.as_slice() {
        [point] => Ok(*point),
        _ => Err(Refused::Length),
    }
}

/// Read as many scalars as there are, little endian, each below the order; they are wiped when they are dropped.
pub fn scalars(data: &[u8]) -> Result<Zeroizing<Vec<Scalar>>, Refused> {
    let (spelled, rest) = data.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(Refused::Length);
    }
    // With room for all of them from the beginning, so that growing leaves no copy behind.
    let mut scalars = Zeroizing::new(Vec::with_capacity(spelled.len()));
    for bytes in spelled {
        scalars.push(Option::<Scalar>::from(Scalar::from_canonical_bytes(*bytes)).ok_or(Refused::Scalar)?);
    }
    Ok(scalars)
}

/// Write elements one after another.
pub fn encoded(points: &[RistrettoPoint]) -> Vec<u8> {
    points.iter().flat_map(|point| point.compress().to_bytes()).collect()
}

/// Write an element that is likely to be read next, and remember it.
pub fn remembered(point: RistrettoPoint) -> Vec<u8> {
    let encoding = point.compress().to_bytes();
    known().insert(encoding, point);
    encoding.to_vec()
}

/// Write the doubles of elements one after another: in an eighth of the time, because the inversions are done together.
pub fn doubled_and_encoded(halves: &[RistrettoPoint]) -> Vec<u8> {
    RistrettoPoint::double_and_compress_batch(halves)
        .iter()
        .flat_map(CompressedRistretto::to_bytes)
        .collect()
}
