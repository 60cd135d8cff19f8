#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let [reader, bytes @ ..] = data {
        drystone_fuzz::texts::mesh(usize::from(*reader), bytes);
    }
});
