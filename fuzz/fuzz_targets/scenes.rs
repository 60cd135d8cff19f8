#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    drystone_fuzz::texts::scene(data);
});
