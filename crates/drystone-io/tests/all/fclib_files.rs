//! FCLIB files written and read without the code under test.

use drystone_math::nalgebra::DMatrix;
use rust_hdf5::H5File;
use std::path::Path;

/// A repeatable number in ±½.
pub fn number(k: usize) -> f64 {
    (k * 7919 % 1013) as f64 / 1013.0 - 0.5
}

/// How a matrix is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Triplets,
    Columns,
    Rows,
}

impl Layout {
    pub const ALL: [Self; 3] = [Self::Triplets, Self::Columns, Self::Rows];
}

/// The entries of a dense matrix that are not zero.
pub fn entries_of(matrix: &DMatrix<f64>) -> Vec<(usize, usize, f64)> {
    let places = (0..matrix.nrows()).flat_map(|row| (0..matrix.ncols()).map(move |column| (row, column)));
    places.map(|place| (place.0, place.1, matrix[place])).filter(|entry| entry.2 != 0.0).collect()
}

/// An HDF5 file.
pub struct Files(H5File);

impl Files {
    pub fn create(path: &Path) -> Self {
        Self(H5File::create(path).unwrap())
    }

    pub fn reopen(path: &Path) -> Self {
        Self(H5File::open_rw(path).unwrap())
    }

    pub fn open(path: &Path) -> Self {
        Self(H5File::open(path).unwrap())
    }

    pub fn close(self) {
        self.0.close().unwrap();
    }

    pub fn group(&self, path: &str) {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        let root = self.0.root_group();
        let parent =
            parent.split('/').filter(|part| !part.is_empty()).fold(root, |at, name| at.group(name).unwrap());
        parent.create_group(name).unwrap();
    }

    pub fn integers(&self, path: &str, values: &[i32]) {
        let dataset = self.0.new_dataset::<i32>().shape([values.len()]).create(path).unwrap();
        if !values.is_empty() {
            dataset.write_raw(values).unwrap();
        }
    }

    pub fn write_reals(&self, path: &str, values: &[f64]) {
        let dataset = self.0.new_dataset::<f64>().shape([values.len()]).create(path).unwrap();
        if !values.is_empty() {
            dataset.write_raw(values).unwrap();
        }
    }

    pub fn reals(&self, path: &str) -> Vec<f64> {
        self.0.dataset(path).unwrap().read_raw().unwrap()
    }

    pub fn integers_at(&self, path: &str) -> Vec<i32> {
        self.0.dataset(path).unwrap().read_raw().unwrap()
    }

    /// A matrix group.
    pub fn matrix(
        &self,
        group: &str,
        [rows, columns]: [usize; 2],
        entries: &[(usize, usize, f64)],
        layout: Layout,
    ) {
        let mut entries = entries.to_vec();
        let column_major = |entry: &(usize, usize, f64)| (entry.1, entry.0);
        let (nz, lines) = match layout {
            // in an order of no use, as real files have it
            Layout::Triplets => {
                entries.sort_by_key(|entry| (entry.0 * 31 + entry.1 * 17) % 101);
                (entries.len() as i32, 0)
            }
            Layout::Columns => {
                entries.sort_by_key(column_major);
                (-1, columns)
            }
            Layout::Rows => (-2, rows),
        };
        let line = |entry: &(usize, usize, f64)| if layout == Layout::Columns { entry.1 } else { entry.0 };
        let outer: Vec<i32> = match layout {
            Layout::Triplets => entries.iter().map(|entry| entry.1 as i32).collect(),
            _ => (0..=lines).map(|k| entries.iter().filter(|entry| line(entry) < k).count() as i32).collect(),
        };
        let inner =
            |entry: &(usize, usize, f64)| if layout == Layout::Rows { entry.1 } else { entry.0 } as i32;
        self.group(group);
        let scalars =
            [("nzmax", entries.len() as i32), ("m", rows as i32), ("n", columns as i32), ("nz", nz)];
        for (name, value) in scalars {
            self.integers(&format!("{group}/{name}"), &[value]);
        }
        self.integers(&format!("{group}/p"), &outer);
        self.integers(&format!("{group}/i"), &entries.iter().map(inner).collect::<Vec<_>>());
        self.write_reals(&format!("{group}/x"), &entries.iter().map(|entry| entry.2).collect::<Vec<_>>());
    }
}

/// A small local problem in the plane, to be spoiled: one contact, W in compressed rows.
pub struct Small {
    pub spacedim: Vec<i32>,
    pub nz: i32,
    pub p: Vec<i32>,
    pub i: Vec<i32>,
    pub x: Vec<f64>,
    pub q: Vec<f64>,
    pub mu: Vec<f64>,
    /// A data set of W left out.
    pub without: &'static str,
}

impl Default for Small {
    fn default() -> Self {
        Self {
            spacedim: vec![2],
            nz: -2,
            p: vec![0, 2, 4],
            i: vec![0, 1, 0, 1],
            x: vec![2.0, 0.1, 0.1, 2.0],
            q: vec![-1.0, 0.5],
            mu: vec![0.3],
            without: "",
        }
    }
}

impl Small {
    pub fn write(&self, path: &Path) {
        let file = Files::create(path);
        file.group("fclib_local");
        file.integers("fclib_local/spacedim", &self.spacedim);
        file.group("fclib_local/W");
        for (name, value) in [("nzmax", 4), ("m", 2), ("n", 2), ("nz", self.nz)] {
            file.integers(&format!("fclib_local/W/{name}"), &[value]);
        }
        file.integers("fclib_local/W/p", &self.p);
        file.integers("fclib_local/W/i", &self.i);
        if self.without != "x" {
            file.write_reals("fclib_local/W/x", &self.x);
        }
        file.group("fclib_local/vectors");
        file.write_reals("fclib_local/vectors/q", &self.q);
        file.write_reals("fclib_local/vectors/mu", &self.mu);
        file.close();
    }
}
