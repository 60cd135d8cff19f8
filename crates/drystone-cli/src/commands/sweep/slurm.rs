//! A sweep as a job array for Slurm. Submits nothing.

use std::path::Path;

/// What the tasks of the array do.
pub struct Job<'a> {
    /// Where the script will be.
    pub path: &'a Path,
    /// The words behind `drystone sweep`.
    pub words: String,
    /// Number of the last combination.
    pub last: usize,
    /// Tasks at a time.
    pub jobs: u16,
    /// Threads of each.
    pub threads: u16,
}

impl Job<'_> {
    /// The script.
    pub fn script(&self) -> String {
        let Self { path, words, last, jobs, threads } = self;
        format!(
            "#!/bin/sh\n#SBATCH --job-name=drystone-sweep\n#SBATCH --array=0-{last}%{jobs}\n\
             #SBATCH --cpus-per-task={threads}\n\
             # submit it where the sweep was written: sbatch {}\n\
             # once all tasks are done, gather the table: drystone sweep {words}\n\
             drystone sweep {words} --only \"$SLURM_ARRAY_TASK_ID\" --threads {threads}\n",
            path.display()
        )
    }
}
