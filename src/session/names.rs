//! One table of words for a plain enum: what is printed, stored and read back.

/// Gives an enum `ALL`, `name()` and `named()`.
macro_rules! names {
    ($kind:ty { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $kind {
            /// Every value.
            pub const ALL: &[$kind] = &[$(<$kind>::$variant),+];

            /// The value in JSON, on the command line and in the database.
            pub fn name(self) -> &'static str {
                match self { $(<$kind>::$variant => $name),+ }
            }

            /// The value with this name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($name => Some(<$kind>::$variant),)+ _ => None }
            }
        }
    };
}
pub(crate) use names;
