//! Paths as text: joining, normalising, comparing. Nothing here looks at a disk.
