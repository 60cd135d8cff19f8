//! The variables that a law keeps at a contact, by name. Where they are kept is the business of others.

/// Declares the variables of a law as a struct of numbers with names, which it reads from a contact by `of`
/// and gives back by `store`; `NAMES` are those that histories and checkpoints know them by.
///
/// ```
/// drystone_laws::law_variables! {
///     /// What a worn contact remembers.
///     struct Wear {
///         /// Distance slid \[m\].
///         slip_distance,
///         /// Depth worn away \[m\].
///         depth,
///     }
/// }
/// let mut kept = [0.25, 0.0, 7.0];
/// let mut wear = Wear::of(&kept);
/// wear.depth = 1e-6 * wear.slip_distance;
/// wear.store(&mut kept);
/// assert_eq!((Wear::NAMES, kept), (&["slip_distance", "depth"][..], [0.25, 0.25e-6, 7.0]));
/// ```
#[macro_export]
macro_rules! law_variables {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($(#[$doc:meta])* $field:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        $visibility struct $name {
            $($(#[$doc])* $field: f64,)+
        }

        impl $name {
            /// Their names, in their order.
            $visibility const NAMES: &'static [&'static str] = &[$(stringify!($field)),+];

            /// Those kept at a contact; zero where there are none.
            // some laws only write them
            #[allow(dead_code)]
            $visibility fn of(kept: &[f64]) -> Self {
                let mut kept = kept.iter().copied();
                Self { $($field: kept.next().unwrap_or(0.0),)+ }
            }

            /// Keeps them; what comes behind them stays.
            $visibility fn store(self, kept: &mut [f64]) {
                for (kept, value) in kept.iter_mut().zip([$(self.$field),+]) {
                    *kept = value;
                }
            }
        }
    };
}
