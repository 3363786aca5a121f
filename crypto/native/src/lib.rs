//! The Python module: encodings in, encodings out, and the interpreter's lock released in between.
//!
//! All arguments and results are `bytes`; elements have 32, and so have scalars, little endian; several stand one after
//! another. `ValueError` for lengths that do not fit, elements that are none, and scalars that are not reduced.

#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod elements;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use elements::Refused;

fn detached<'py>(
    py: Python<'py>,
    work: impl FnOnce() -> Result<Vec<u8>, Refused> + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let done = py
        .detach(work)
        .map_err(|refused| PyValueError::new_err(refused.says()))?;
    Ok(PyBytes::new(py, &done))
}

/// Read the widths of rows. Only a list has a length that can be believed before room is made for it.
fn read(widths: &Bound<'_, PyList>) -> PyResult<Vec<usize>> {
    widths.iter().map(|width| width.extract()).collect()
}

/// ristretto255 by curve25519-dalek. Made for Sobremesa's `crypto.dalek`, which says what the functions do.
#[pymodule]
mod sobremesa_native {
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pyfunction]
    fn valid(py: Python<'_>, data: &[u8]) -> bool {
        !data.is_empty() && py.detach(|| elements::elements(data).is_ok())
    }

    #[pyfunction]
    fn add<'py>(py: Python<'py>, p: &[u8], q: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::add(p, q))
    }

    #[pyfunction]
    fn sub<'py>(py: Python<'py>, p: &[u8], q: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::sub(p, q))
    }

    #[pyfunction]
    fn total<'py>(py: Python<'py>, points: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::total(points))
    }

    #[pyfunction]
    fn mult<'py>(py: Python<'py>, k: &[u8], p: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::mult(k, p))
    }

    #[pyfunction]
    fn base<'py>(py: Python<'py>, k: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::base(k))
    }

    #[pyfunction]
    fn combine<'py>(py: Python<'py>, widths: &Bound<'py, PyList>, k: &[u8], p: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let widths = read(widths)?;
        detached(py, || arithmetic::combine(&widths, k, p))
    }

    #[pyfunction]
    fn combine_public<'py>(
        py: Python<'py>,
        widths: &Bound<'py, PyList>,
        k: &[u8],
        p: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let widths = read(widths)?;
        detached(py, || arithmetic::combine_public(&widths, k, p))
    }

    #[pyfunction]
    fn mask<'py>(py: Python<'py>, p: &[u8], k: &[u8], q: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::mask(p, k, q))
    }

    #[pyfunction]
    fn from_uniform<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        detached(py, || arithmetic::from_uniform(data))
    }
}
