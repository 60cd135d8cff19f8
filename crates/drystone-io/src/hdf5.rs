//! The few HDF5 operations of the run files, around one library, so that it can be exchanged. Knows nothing
//! of what the files mean.

use crate::IoError;
use crate::files::sync_file;
use rust_hdf5::{DatatypeMessage, Filter, FilterPipeline, H5Dataset, H5File, H5Group, H5Type, Hdf5Error};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A number a file can hold.
pub(crate) trait Scalar: H5Type + Default {}
impl Scalar for f64 {}
impl Scalar for f32 {}
impl Scalar for u64 {}
impl Scalar for i64 {}
impl Scalar for i32 {}
impl Scalar for u32 {}
impl Scalar for u8 {}

/// Numbers of one type, row after row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Values {
    F64(Vec<f64>),
    F32(Vec<f32>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    I32(Vec<i32>),
    U32(Vec<u32>),
    U8(Vec<u8>),
}

impl Values {
    /// Real numbers with as many digits as a picture needs, or with all.
    pub(crate) fn reals(numbers: Vec<f64>, short: bool) -> Self {
        if short { Self::F32(numbers.into_iter().map(|x| x as f32).collect()) } else { Self::F64(numbers) }
    }
}

/// Calls `$body` with `$values` bound to the vector inside.
macro_rules! each {
    ($data:expr, $values:ident => $body:expr) => {
        match $data {
            Values::F64($values) => $body,
            Values::F32($values) => $body,
            Values::U64($values) => $body,
            Values::I64($values) => $body,
            Values::I32($values) => $body,
            Values::U32($values) => $body,
            Values::U8($values) => $body,
        }
    };
}

/// Rows × components as the file wants them: one component makes a flat array.
fn shape(rows: usize, components: usize) -> Vec<usize> {
    if components == 1 { vec![rows] } else { vec![rows, components] }
}

/// The number of Fletcher's checksum among the filters of HDF5.
const FLETCHER32: u16 = 3;

/// The filter of HDF5 that puts a checksum behind every chunk (Fletcher's, of 32 bits): readers by HDF5's own
/// library are told of damage instead of being given wrong numbers.
fn checked() -> FilterPipeline {
    FilterPipeline { filters: vec![Filter { id: FLETCHER32, flags: 0, cd_values: Vec::new() }] }
}

/// Whether the four bytes at the end are Fletcher's checksum of all before them, taken as big-endian words of
/// 16 bits; 0 and 65535 are the same to it.
fn checksum_holds(bytes: &[u8]) -> bool {
    let Some((data, sum)) = bytes.split_last_chunk::<4>() else { return false };
    let (mut first, mut second) = (0_u32, 0_u32);
    for word in data.chunks(2) {
        first = (first + (u32::from(word[0]) << 8) + word.get(1).copied().map_or(0, u32::from)) % 65535;
        second = (second + first) % 65535;
    }
    let sum = u32::from_le_bytes(*sum);
    [sum & 0xffff, sum >> 16].map(|half| half % 65535) == [first, second]
}

/// A file open for writing. It is valid for others only after [`Store::close`].
pub(crate) struct Store {
    file: H5File,
    path: PathBuf,
}

impl Store {
    /// A new file.
    pub(crate) fn create(path: &Path) -> Result<Self, IoError> {
        let file = H5File::options().create(path).map_err(fault(path))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// An existing file, to be lengthened or shortened. Fails when somebody reads it.
    pub(crate) fn open(path: &Path) -> Result<Self, IoError> {
        let file = H5File::open_rw(path).map_err(fault(path))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Makes a group inside an existing one.
    pub(crate) fn group(&self, path: &str) -> Result<(), IoError> {
        let (parent, name) = self.place(path)?;
        parent.create_group(name).map(drop).map_err(self.fault())
    }

    /// Sets a text attribute of a group.
    pub(crate) fn set_text(&self, group: &str, name: &str, text: &str) -> Result<(), IoError> {
        self.find(group)?.set_attr_string(name, text).map_err(self.fault())
    }

    /// Sets an attribute of a group to one whole number.
    pub(crate) fn set_integer(&self, group: &str, name: &str, value: i64) -> Result<(), IoError> {
        self.find(group)?.set_attr_numeric(name, &value).map_err(self.fault())
    }

    /// Sets an attribute of a group to a list of whole numbers.
    pub(crate) fn set_integers(&self, group: &str, name: &str, values: &[i64]) -> Result<(), IoError> {
        self.find(group)?.set_attr_array_numeric(name, values).map_err(self.fault())
    }

    /// A data set that can grow by rows, empty as yet.
    pub(crate) fn growing(
        &self,
        path: &str,
        like: &Values,
        components: usize,
        chunk: usize,
    ) -> Result<(), IoError> {
        fn make<T: Scalar>(
            _: &[T],
            group: H5Group,
            name: &str,
            [components, chunk]: [usize; 2],
        ) -> Result<(), Hdf5Error> {
            let limit: Vec<Option<usize>> =
                shape(0, components).into_iter().map(|size| (size > 0).then_some(size)).collect();
            let builder = group.new_dataset::<T>().shape(shape(0, components));
            let builder = builder.chunk(&shape(chunk, components)).max_shape(&limit);
            builder.filter_pipeline(checked()).create(name).map(drop)
        }
        let (group, name) = self.place(path)?;
        each!(like, values => make(values, group, name, [components, chunk])).map_err(self.fault())
    }

    /// A data set that stays as it is.
    pub(crate) fn fixed(&self, path: &str, data: &Values, components: usize) -> Result<(), IoError> {
        fn make<T: Scalar>(
            data: &[T],
            group: H5Group,
            name: &str,
            components: usize,
        ) -> Result<(), Hdf5Error> {
            let extent = shape(data.len() / components, components);
            let builder = group.new_dataset::<T>().shape(&extent);
            match data.is_empty() {
                true => builder.create(name).map(drop),
                false => builder.chunk(&extent).filter_pipeline(checked()).create(name)?.write_raw(data),
            }
        }
        let (group, name) = self.place(path)?;
        each!(data, values => make(values, group, name, components)).map_err(self.fault())
    }

    /// A list of texts that stays as it is. Not for the eyes of VTK: it reads texts of variable length only,
    /// and those of this library (whose letters are declared as text, not as bytes) crash it.
    pub(crate) fn texts(&self, path: &str, texts: &[String]) -> Result<(), IoError> {
        let (group, name) = self.place(path)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        group.write_vlen_strings(name, &texts).map(drop).map_err(self.fault())
    }

    /// One text of fixed length, its end marked by a zero byte. The letters need not be UTF-8.
    pub(crate) fn text(&self, path: &str, letters: &[u8]) -> Result<(), IoError> {
        let (group, name) = self.place(path)?;
        let mut bytes = letters.to_vec();
        bytes.push(0);
        let kind = DatatypeMessage::fixed_string(bytes.len() as u32);
        let made = group.new_dataset::<u8>().datatype(kind).scalar().create(name);
        made.and_then(|dataset| dataset.write_raw_bytes(&bytes)).map_err(self.fault())
    }

    /// A second name for a data set.
    pub(crate) fn link(&self, path: &str, target: &str) -> Result<(), IoError> {
        let (group, name) = self.place(path)?;
        group.link(name, target).map_err(self.fault())
    }

    /// Rows of a data set.
    pub(crate) fn rows(&self, path: &str) -> Result<usize, IoError> {
        Ok(self.dataset(path)?.shape()[0])
    }

    /// Adds rows at the end of a growing data set.
    pub(crate) fn append(&self, path: &str, data: &Values) -> Result<(), IoError> {
        fn add<T: Scalar>(dataset: H5Dataset, data: &[T]) -> Result<(), Hdf5Error> {
            if data.is_empty() {
                return Ok(());
            }
            let mut extent = dataset.shape();
            let mut start = vec![0; extent.len()];
            let mut count = extent.clone();
            start[0] = extent[0];
            count[0] = data.len() / extent.get(1).copied().unwrap_or(1);
            extent[0] += count[0];
            dataset.extend(&extent)?;
            dataset.write_slice(&start, &count, data)
        }
        let dataset = self.dataset(path)?;
        each!(data, values => add(dataset, values)).map_err(self.fault())
    }

    /// Drops the rows of a growing data set from `rows` on.
    pub(crate) fn shorten(&self, path: &str, rows: usize) -> Result<(), IoError> {
        let dataset = self.dataset(path)?;
        let mut extent = dataset.shape();
        if extent[0] <= rows {
            return Ok(());
        }
        extent[0] = rows;
        dataset.set_extent(&extent).map_err(self.fault())
    }

    /// Finishes the file; `durable` waits until the disk has it.
    pub(crate) fn close(self, durable: bool) -> Result<(), IoError> {
        // the library would wait once for each data set
        self.file.close_no_sync().map_err(fault(&self.path))?;
        if durable { sync_file(&self.path) } else { Ok(()) }
    }

    fn dataset(&self, path: &str) -> Result<H5Dataset, IoError> {
        self.file.dataset_writer(path).map_err(self.fault())
    }

    fn find(&self, group: &str) -> Result<H5Group, IoError> {
        let root = self.file.root_group();
        group.split('/').try_fold(root, |parent, name| parent.group(name)).map_err(self.fault())
    }

    fn place<'a>(&self, path: &'a str) -> Result<(H5Group, &'a str), IoError> {
        match path.rsplit_once('/') {
            Some((group, name)) => Ok((self.find(group)?, name)),
            None => Ok((self.file.root_group(), path)),
        }
    }

    fn fault(&self) -> impl FnOnce(Hdf5Error) -> IoError + use<> {
        fault(&self.path)
    }
}

/// A file open for reading.
pub(crate) struct Source {
    file: H5File,
    path: PathBuf,
}

impl Source {
    /// Opens a file. The writer leaves a file alone that somebody reads.
    pub(crate) fn open(path: &Path) -> Result<Self, IoError> {
        // a pipe would be waited for without end
        let found = std::fs::metadata(path).map_err(IoError::system(path))?;
        if !found.is_file() {
            return Err(IoError::damaged(path, "it is not a regular file"));
        }
        let file = H5File::open(path).map_err(fault(path))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// A data set whose numbers are in this file: one that leads to others is refused, since a stranger's
    /// file could show any file of the machine.
    fn dataset(&self, path: &str) -> Result<H5Dataset, IoError> {
        let dataset = self.file.dataset(path).map_err(fault(&self.path))?;
        let elsewhere = dataset.external_files().is_ok_and(|files| !files.is_empty())
            || dataset.virtual_mappings().is_ok_and(|mappings| !mappings.is_empty());
        match elsewhere {
            true => Err(IoError::damaged(&self.path, format!("{path} is stored in other files"))),
            false => Ok(dataset),
        }
    }

    /// Rows of a data set.
    pub(crate) fn rows(&self, path: &str) -> Result<usize, IoError> {
        let dataset = self.dataset(path)?;
        Ok(dataset.shape().first().copied().unwrap_or(0))
    }

    /// Numbers in a row of a data set.
    pub(crate) fn components(&self, path: &str) -> Result<usize, IoError> {
        let dataset = self.file.dataset(path).map_err(fault(&self.path))?;
        Ok(dataset.shape().get(1).copied().unwrap_or(1))
    }

    /// Rows `start .. start + count` of a data set, flat.
    pub(crate) fn slice<T: Scalar>(&self, path: &str, start: usize, count: usize) -> Result<Vec<T>, IoError> {
        let dataset = self.dataset(path)?;
        let extent = self.extent(&dataset, path, start, count)?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let (starts, counts) = hyperslab(&extent, start, count);
        dataset.read_slice(&starts, &counts).map_err(fault(&self.path))
    }

    /// Gives rows of a data set in pieces that lie together in the file, in their order, through one buffer.
    pub(crate) fn pieces<T: Scalar>(
        &self,
        path: &str,
        rows: Range<usize>,
        buffer: &mut Vec<T>,
        mut take: impl FnMut(&[T]),
    ) -> Result<(), IoError> {
        let dataset = self.dataset(path)?;
        let extent = self.extent(&dataset, path, rows.start, rows.len())?;
        let width = extent.get(1).copied().unwrap_or(1);
        let height = dataset.chunk_dims().and_then(|sizes| sizes.first().copied()).unwrap_or(rows.len());
        let mut start = rows.start;
        while start < rows.end {
            // a chunk is read as a whole: none is read twice
            let end = (start / height.max(1) + 1).saturating_mul(height.max(1)).min(rows.end);
            let (starts, counts) = hyperslab(&extent, start, end - start);
            buffer.resize((end - start) * width, T::default());
            dataset.read_slice_into(buffer, &starts, &counts).map_err(fault(&self.path))?;
            take(buffer);
            start = end;
        }
        Ok(())
    }

    /// The extent of a data set that has these rows.
    fn extent(
        &self,
        dataset: &H5Dataset,
        path: &str,
        start: usize,
        count: usize,
    ) -> Result<Vec<usize>, IoError> {
        let extent = dataset.shape();
        match (extent.first(), start.checked_add(count)) {
            (Some(&rows), Some(end)) if end <= rows => Ok(extent),
            _ => {
                let reason = format!("{path} has {extent:?} rows, not {count} from {start}");
                Err(IoError::damaged(&self.path, reason))
            }
        }
    }

    /// The same of real numbers of either width.
    pub(crate) fn reals_in(&self, path: &str, start: usize, count: usize) -> Result<Vec<f64>, IoError> {
        match self.dataset(path)?.element_size() {
            4 => Ok(self.slice::<f32>(path, start, count)?.into_iter().map(f64::from).collect()),
            _ => self.slice(path, start, count),
        }
    }

    /// The data sets of a group, sorted.
    pub(crate) fn names_in(&self, group: &str) -> Vec<String> {
        let names = self.file.dataset_names();
        let names = names.iter().map(|name| name.trim_start_matches('/').to_owned());
        let mut found: Vec<String> =
            names.filter(|name| name.rsplit_once('/').is_some_and(|(place, _)| place == group)).collect();
        found.sort();
        found
    }

    /// The data sets of numbers, sorted.
    pub(crate) fn numbers(&self) -> Vec<String> {
        let names = self.file.dataset_names();
        let mut found: Vec<String> =
            names.iter().map(|name| name.trim_start_matches('/').to_owned()).collect();
        // texts of any length have neither
        found.retain(|name| {
            self.dataset(name)
                .is_ok_and(|data| matches!(data.element_size(), 1 | 4 | 8) && !data.shape().is_empty())
        });
        found.sort();
        found
    }

    /// Reads rows of a data set of numbers of any type, or all of them, only to see that they can be read and
    /// that the checksums of their chunks hold: the library writes those and believes them when it reads.
    pub(crate) fn touch(&self, path: &str, rows: Option<Range<usize>>) -> Result<(), IoError> {
        let dataset = self.sound(path)?;
        let rows = rows.unwrap_or(0..dataset.shape()[0]);
        match dataset.element_size() {
            1 => self.slice::<u8>(path, rows.start, rows.len()).map(drop)?,
            4 => self.slice::<u32>(path, rows.start, rows.len()).map(drop)?,
            _ => self.slice::<u64>(path, rows.start, rows.len()).map(drop)?,
        }
        let is_checked =
            dataset.filters().is_ok_and(|filters| filters.iter().any(|own| own.id == FLETCHER32));
        let Some(height) = dataset.chunk_dims().and_then(|sizes| sizes.first().copied()) else {
            return Ok(());
        };
        if !is_checked || rows.is_empty() {
            return Ok(());
        }
        // chunks are as wide as their data set
        let mut place = vec![0; dataset.shape().len()];
        for chunk in rows.start / height.max(1)..=(rows.end - 1) / height.max(1) {
            place[0] = chunk;
            let (bytes, left_out) = dataset.read_chunk_raw_at(&place).map_err(fault(&self.path))?;
            if left_out == 0 && !checksum_holds(&bytes) {
                return Err(IoError::damaged(&self.path, format!("a checksum of {path} does not hold")));
            }
        }
        Ok(())
    }

    /// Whether there is a data set of this name.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.file.dataset_names().iter().any(|name| name.trim_start_matches('/') == path)
    }

    /// A whole data set of whole numbers of any width, flat.
    pub(crate) fn integers(&self, path: &str) -> Result<Vec<i64>, IoError> {
        self.sound(path)?.read_numeric_as().map_err(fault(&self.path))
    }

    /// A whole data set of real numbers of any width, flat.
    pub(crate) fn reals(&self, path: &str) -> Result<Vec<f64>, IoError> {
        self.sound(path)?.read_numeric_as().map_err(fault(&self.path))
    }

    /// The letters of a text of fixed length, up to the zero byte that ends it.
    pub(crate) fn letters(&self, path: &str) -> Result<Vec<u8>, IoError> {
        let mut bytes = self.sound(path)?.read_raw_bytes().map_err(fault(&self.path))?;
        bytes.truncate(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()));
        Ok(bytes)
    }

    /// A data set that claims no more than the file can hold: a wrong extent must not ask for all the memory.
    fn sound(&self, path: &str) -> Result<H5Dataset, IoError> {
        let dataset = self.dataset(path)?;
        let held = std::fs::metadata(&self.path).map_err(IoError::system(&self.path))?.len() as u128;
        let claimed: u128 = dataset.shape().iter().map(|&size| size as u128).product();
        // no filter packs better than a thousand to one
        if claimed * dataset.element_size().max(1) as u128 > 1024 * held {
            let reason = format!("{path} claims {claimed} entries in a file of {held} bytes");
            return Err(IoError::damaged(&self.path, reason));
        }
        Ok(dataset)
    }

    /// A whole data set, flat.
    pub(crate) fn all<T: Scalar>(&self, path: &str) -> Result<Vec<T>, IoError> {
        self.slice(path, 0, self.rows(path)?)
    }
}

/// Where `count` rows from `start` begin in each direction, and how many there are in it.
fn hyperslab(extent: &[usize], start: usize, count: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut starts, mut counts) = (vec![0; extent.len()], extent.to_vec());
    (starts[0], counts[0]) = (start, count);
    (starts, counts)
}

/// Errors of the operating system apart from those of the content. The library hides the first kind one layer
/// down in a private type, so only its text tells them apart there.
fn fault(path: &Path) -> impl FnOnce(Hdf5Error) -> IoError + use<> {
    let path = path.to_owned();
    move |error| match error {
        Hdf5Error::Io(source) => IoError::System { path, source },
        other => match other.to_string().strip_prefix("hdf5-io error: I/O error: ") {
            Some(text) => IoError::System { path, source: std::io::Error::other(text.to_owned()) },
            None => IoError::damaged(&path, other),
        },
    }
}
