#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let file = std::env::temp_dir().join(format!("drystone-fuzz-{}.hdf5", std::process::id()));
    drystone_fuzz::folders::problem(data, &file);
});
