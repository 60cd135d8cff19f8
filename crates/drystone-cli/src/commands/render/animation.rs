//! An animated GIF: one table of colours for all frames, and of each frame only what changed. The bytes are
//! the gif crate's.

use drystone_view::Pixels;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::io::Write;

/// Most colours; one number is kept for what does not change.
const MOST: usize = 255;

/// The number of a pixel that stays as it was.
const KEPT: u8 = 255;

/// Bits of a channel by which colours are told apart.
const BITS: u32 = 5;

/// A few colours that stand for all, and which one stands for each.
pub struct ColourTable {
    /// Red, green and blue, one after the other.
    colours: Vec<u8>,
    /// The number of the colour of each cell of the colour cube.
    nearest: Vec<u8>,
}

/// Cells that have a colour of their own.
const ALONE: usize = 32;

/// The cell of a colour.
fn cell(pixel: &[u8]) -> usize {
    let part = |channel: u8| usize::from(channel) >> (8 - BITS);
    part(pixel[0]) << (2 * BITS) | part(pixel[1]) << BITS | part(pixel[2])
}

/// Where a cell lies in the cube.
fn place(cell: usize) -> [usize; 3] {
    [2, 1, 0].map(|k| cell >> (k * BITS) & ((1 << BITS) - 1))
}

/// Cells parted into at most so many boxes: the longest is cut in two halves with as many pixels each
/// (Heckbert 1982).
fn median_cut(cells: Vec<usize>, counts: &[u64], most: usize) -> Vec<Vec<usize>> {
    let longest = |inside: &Vec<usize>| {
        let side = |k: usize| {
            let ends = inside.iter().map(|cell| place(*cell)[k]);
            ends.clone().max().unwrap_or(0) - ends.min().unwrap_or(0)
        };
        (0..3).map(|k| (side(k), k)).max().unwrap_or((0, 0))
    };
    let mut boxes: Vec<(usize, usize, Vec<usize>)> = Vec::new();
    let add = |inside: Vec<usize>, boxes: &mut Vec<(usize, usize, Vec<usize>)>| {
        let (side, axis) = longest(&inside);
        boxes.push((side, axis, inside));
    };
    if !cells.is_empty() && most > 0 {
        add(cells, &mut boxes);
    }
    while boxes.len() < most {
        let Some(at) = (0..boxes.len()).max_by_key(|at| (boxes[*at].0, std::cmp::Reverse(*at))) else {
            break;
        };
        if boxes[at].0 == 0 {
            break;
        }
        let (_, axis, mut inside) = boxes.swap_remove(at);
        inside.sort_by_key(|cell| (place(*cell)[axis], *cell));
        let total: u64 = inside.iter().map(|cell| counts[*cell]).sum();
        let mut before = 0;
        let half = inside.iter().take_while(|cell| {
            before += counts[**cell];
            2 * before <= total
        });
        let half = half.count().clamp(1, inside.len() - 1);
        let upper = inside.split_off(half);
        add(inside, &mut boxes);
        add(upper, &mut boxes);
    }
    boxes.into_iter().map(|(_, _, inside)| inside).collect()
}

impl ColourTable {
    /// Colours for some pictures: the means of the fullest cells of the colour cube, for paper, ink and
    /// bodies, and of boxes of the others (median cut), for what is shaded.
    pub fn of(pictures: &[Pixels]) -> Self {
        let cells = 1usize << (3 * BITS);
        let (mut counts, mut sums) = (vec![0u64; cells], vec![[0u64; 3]; cells]);
        for pixel in pictures.iter().flat_map(|picture| picture.rgba.chunks_exact(4)) {
            let cell = cell(pixel);
            counts[cell] += 1;
            (0..3).for_each(|k| sums[cell][k] += u64::from(pixel[k]));
        }
        let mut fullest: Vec<usize> = (0..cells).filter(|cell| counts[*cell] > 0).collect();
        // by number, then by place: the same table on every machine
        fullest.sort_by_key(|cell| (std::cmp::Reverse(counts[*cell]), *cell));
        let others = fullest.split_off(fullest.len().min(ALONE));
        let mut boxes: Vec<Vec<usize>> = fullest.into_iter().map(|cell| vec![cell]).collect();
        let room = MOST - boxes.len();
        boxes.extend(median_cut(others, &counts, room));
        let mean = |inside: &Vec<usize>| {
            let count = inside.iter().map(|cell| counts[*cell]).sum::<u64>().max(1);
            [0, 1, 2].map(|k| (inside.iter().map(|cell| sums[*cell][k]).sum::<u64>() / count) as u8)
        };
        let chosen: Vec<[u8; 3]> = boxes.iter().map(mean).collect();
        let nearest = |cell: usize| {
            let middle = place(cell).map(|part| (part << (8 - BITS) | 1 << (7 - BITS)) as i32);
            let distance =
                |colour: &[u8; 3]| -> i32 { (0..3).map(|k| (i32::from(colour[k]) - middle[k]).pow(2)).sum() };
            (0..chosen.len()).min_by_key(|number| distance(&chosen[*number])).unwrap_or(0) as u8
        };
        let mut table: Vec<u8> = (0..cells).map(nearest).collect();
        for (number, inside) in boxes.iter().enumerate().take(ALONE) {
            inside.iter().for_each(|cell| table[*cell] = number as u8);
        }
        Self { colours: chosen.into_iter().flatten().collect(), nearest: table }
    }

    fn numbers(&self, picture: &Pixels) -> Vec<u8> {
        picture.rgba.chunks_exact(4).map(|pixel| self.nearest[cell(pixel)]).collect()
    }
}

/// A GIF being written.
pub struct Animation<W: Write> {
    encoder: Encoder<W>,
    colours: ColourTable,
    /// Numbers of the pixels that are shown now.
    shown: Vec<u8>,
    /// Hundredths of a second, of the film so far and of each frame.
    clock: f64,
    ticks: u64,
    tick: f64,
}

impl<W: Write> Animation<W> {
    /// Begins a film that repeats for ever, with so many frames a second.
    pub fn new(to: W, size: [u32; 2], colours: ColourTable, rate: f64) -> Result<Self, EncodingError> {
        let [width, height] = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let mut table = colours.colours.clone();
        table.resize(3 * (MOST + 1), 0);
        let mut encoder = Encoder::new(to, width, height, &table)?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, colours, shown: Vec::new(), clock: 0.0, ticks: 0, tick: 100.0 / rate })
    }

    /// Adds a frame: the rectangle of what changed.
    pub fn add(&mut self, picture: &Pixels) -> Result<(), EncodingError> {
        let numbers = self.colours.numbers(picture);
        let wide = picture.width as usize;
        // frames last whole hundredths; what is cut off is given to a later one
        self.clock += self.tick;
        let delay = (self.clock.round() as u64).saturating_sub(self.ticks).clamp(1, 60_000);
        self.ticks += delay;
        let is_first = self.shown.len() != numbers.len();
        let changed = |place: &usize| is_first || self.shown[*place] != numbers[*place];
        let places: Vec<usize> = (0..numbers.len()).filter(changed).collect();
        let range = |of: &dyn Fn(usize) -> usize| {
            let low = places.iter().map(|place| of(*place)).min().unwrap_or(0);
            let high = places.iter().map(|place| of(*place)).max().unwrap_or(0);
            low..high + 1
        };
        let (rows, columns) = (range(&|place| place / wide), range(&|place| place % wide));
        let mut buffer = Vec::with_capacity(rows.len() * columns.len());
        for row in rows.clone() {
            for place in row * wide + columns.start..row * wide + columns.end {
                buffer.push(if changed(&place) { numbers[place] } else { KEPT });
            }
        }
        self.encoder.write_frame(&Frame {
            delay: delay as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(KEPT),
            top: rows.start as u16,
            left: columns.start as u16,
            width: columns.len() as u16,
            height: rows.len() as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
        self.shown = numbers;
        Ok(())
    }

    /// Ends the file.
    pub fn end(self) -> Result<(), EncodingError> {
        self.encoder.into_inner()?.flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white sheet with a red square that moves.
    fn picture(at: usize) -> Pixels {
        let (width, height) = (40, 30);
        let mut rgba = vec![255; 4 * width * height];
        for (row, column) in (10..20).flat_map(|row| (at..at + 5).map(move |column| (row, column))) {
            let place = 4 * (row * width + column);
            rgba[place..place + 4].copy_from_slice(&[200, 30, 20, 255]);
        }
        Pixels { width: width as u32, height: height as u32, rgba }
    }

    /// Frames of a GIF as they are seen, with how long each is.
    pub fn seen(bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let (wide, high) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut sheet = vec![0; 4 * wide * high];
        let mut found = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (place, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let (row, column) = (place / usize::from(frame.width), place % usize::from(frame.width));
                let at = 4 * ((row + usize::from(frame.top)) * wide + column + usize::from(frame.left));
                sheet[at..at + 4].copy_from_slice(pixel);
            }
            found.push((frame.delay, sheet.clone()));
        }
        found
    }

    #[test]
    fn what_is_written_is_what_is_seen() {
        let pictures: Vec<Pixels> = [0, 3, 3, 20, 35].map(picture).into();
        let colours = ColourTable::of(&pictures);
        let mut bytes = Vec::new();
        let mut animation = Animation::new(&mut bytes, [40, 30], colours, 30.0).unwrap();
        pictures.iter().for_each(|picture| animation.add(picture).unwrap());
        animation.end().unwrap();
        let found = seen(&bytes);
        assert_eq!(found.len(), 5);
        for ((_, sheet), picture) in found.iter().zip(&pictures) {
            assert!(*sheet == picture.rgba);
        }
        // 30 frames a second are no whole hundredths: 3 and 4 by turns
        assert_eq!(found.iter().map(|(delay, _)| u32::from(*delay)).sum::<u32>(), 17);
    }

    #[test]
    fn more_colours_than_there_are_numbers_stay_near() {
        let rgba: Vec<u8> =
            (0..64 * 64u32).flat_map(|k| [(k % 64 * 4) as u8, (k / 64 * 4) as u8, 128, 255]).collect();
        let picture = Pixels { width: 64, height: 64, rgba };
        let table = ColourTable::of(std::slice::from_ref(&picture));
        let numbers = table.numbers(&picture);
        for (pixel, number) in picture.rgba.chunks_exact(4).zip(numbers) {
            let colour = &table.colours[3 * usize::from(number)..][..3];
            let far = (0..3).map(|k| i32::from(pixel[k]).abs_diff(i32::from(colour[k]))).max().unwrap();
            assert!(far < 32, "{pixel:?} as {colour:?}");
        }
    }
}
