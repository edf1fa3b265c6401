//! The index of a Git work tree, read from bytes: which files are tracked, and whether a file still looks as it did.
//!
//! Versions 2 to 4 are read. Source: gitformat-index(5), racy-git in Git's technical documentation, Git 2.47.

use crate::FileState;

/// Bytes of an index that is worth reading; about 150,000 files.
pub const INDEX_BYTES: u64 = 16 * 1024 * 1024;

/// What the index says about one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    path_start: usize,
    path_end: usize,
    modified: Time,
    size: u32,
    mode: u32,
    stage: u16,
    /// Added with `git add -N`: the index has no content for it.
    intended: bool,
    /// The object is the empty blob.
    empty: bool,
}

/// A moment as file systems and the index keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Time {
    /// Seconds since 1970, cut to the 32 bits the index has.
    pub seconds: u32,
    /// Nanoseconds; 0 where they are not known.
    pub nanoseconds: u32,
}

/// What a look at a file shows, links not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLook {
    /// Size in bytes.
    pub size: u64,
    /// When its content last changed.
    pub modified: Time,
    /// It is a symbolic link.
    pub is_link: bool,
}

/// A parsed index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Index {
    paths: Vec<u8>,
    entries: Vec<Entry>,
    /// Parts of the index are kept in another file (split index) or as whole directories (sparse index), so that a path that is not
    /// found may still be tracked.
    pub is_partial: bool,
}

/// The bytes are not an index that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("not a readable index")
    }
}

impl std::error::Error for Malformed {}

/// The SHA-1 and SHA-256 names of the empty blob, as far as they are compared.
const EMPTY_BLOBS: [[u8; 8]; 2] =
    [[0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43], [0x47, 0x3a, 0x0f, 0x4c, 0x3b, 0xe8, 0xa9, 0x36]];
const STAT_BYTES: usize = 40;
const SHORTEST_ENTRY: usize = STAT_BYTES + 20 + 2 + 1;

impl Index {
    /// Reads an index. `hash_bytes` is the length of an object name: 20 for SHA-1, 32 for SHA-256.
    ///
    /// # Errors
    /// [`Malformed`] for anything that is not an index of version 2, 3 or 4, or is cut off.
    pub fn parse(bytes: &[u8], hash_bytes: usize) -> Result<Self, Malformed> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.take(4)? != b"DIRC" {
            return Err(Malformed);
        }
        let version = reader.number32()?;
        let count = reader.number32()? as usize;
        if !(2..=4).contains(&version) || count > bytes.len() / SHORTEST_ENTRY {
            return Err(Malformed);
        }
        let mut index = Self { paths: Vec::with_capacity(bytes.len() / 2), entries: Vec::with_capacity(count), is_partial: false };
        for _ in 0..count {
            index.read_entry(&mut reader, version, hash_bytes)?;
        }
        index.read_extensions(&mut reader, hash_bytes);
        Ok(index)
    }

    fn read_entry(&mut self, reader: &mut Reader<'_>, version: u32, hash_bytes: usize) -> Result<(), Malformed> {
        let start = reader.at;
        let mut stat = Reader { bytes: reader.take(STAT_BYTES)?, at: 8 };
        let modified = Time { seconds: stat.number32()?, nanoseconds: stat.number32()? };
        stat.at = 24;
        let mode = stat.number32()?;
        stat.at = 36;
        let size = stat.number32()?;
        let object = reader.take(hash_bytes)?;
        let flags = reader.number16()?;
        let extended = flags & 0x4000 != 0 && version >= 3;
        let intended = if extended { reader.number16()? & 0x2000 != 0 } else { false };
        let path_start = self.paths.len();
        if version == 4 {
            let removed = reader.offset_number()?;
            let previous = self.entries.last().map_or(path_start..path_start, |entry| entry.path_start..entry.path_end);
            let kept = previous.len().checked_sub(removed).ok_or(Malformed)?;
            // One entry may repeat a long path; all together must stay in proportion to what was read.
            if self.paths.len() + kept > PATH_BYTES {
                return Err(Malformed);
            }
            self.paths.extend_from_within(previous.start..previous.start + kept);
        }
        let name = reader.until_nul()?;
        self.paths.extend_from_slice(name);
        if version < 4 {
            let used = reader.at - start;
            reader.take(used.next_multiple_of(8) - used)?;
        }
        self.is_partial |= mode == 0o040_000;
        self.entries.push(Entry {
            path_start,
            path_end: self.paths.len(),
            modified,
            size,
            mode,
            stage: flags >> 12 & 3,
            intended,
            empty: EMPTY_BLOBS.iter().any(|empty| object.starts_with(empty)),
        });
        Ok(())
    }

    /// Looks for the extension of a split index (`link`). A broken extension only ends the search.
    fn read_extensions(&mut self, reader: &mut Reader<'_>, hash_bytes: usize) {
        while reader.bytes.len().saturating_sub(reader.at) > hash_bytes {
            let (Ok(signature), Ok(size)) = (reader.take(4), reader.number32()) else {
                return;
            };
            self.is_partial |= signature == b"link";
            if reader.take(size as usize).is_err() {
                return;
            }
        }
    }

    fn path(&self, entry: &Entry) -> &[u8] {
        self.paths.get(entry.path_start..entry.path_end).unwrap_or_default()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is tracked.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How a file that exists stands: `path` is relative to the top of the work tree. `written` is when the index file itself
    /// changed last: a file that changed at that moment or later may have changed once more without a trace.
    pub fn state(&self, path: &str, look: FileLook, written: Time) -> FileState {
        let first = self.entries.partition_point(|entry| self.path(entry) < path.as_bytes());
        match self.entries.get(first).filter(|entry| self.path(entry) == path.as_bytes()) {
            Some(entry) => entry.state(look, written),
            None if self.is_partial => FileState::Unknown,
            None => FileState::Untracked,
        }
    }

    /// The tracked files below a directory (relative to the top, empty for the top itself), in order.
    pub fn below<'a>(&'a self, directory: &str) -> impl Iterator<Item = &'a str> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let first = self.entries.partition_point(|entry| self.path(entry) < prefix.as_bytes());
        self.entries
            .get(first..)
            .unwrap_or_default()
            .iter()
            .map(|entry| self.path(entry))
            .take_while(move |path| path.starts_with(prefix.as_bytes()))
            .filter_map(|path| std::str::from_utf8(path).ok())
    }
}

impl Entry {
    fn state(&self, look: FileLook, written: Time) -> FileState {
        let is_link = self.mode & 0o170_000 == 0o120_000;
        if self.stage != 0 || self.intended || is_link != look.is_link {
            return FileState::TrackedModified;
        }
        // Git writes size 0 into the entry of a file it could not be sure about, and compares its content later.
        if self.size == 0 && !self.empty && look.size != 0 {
            return FileState::Unknown;
        }
        // The index keeps the lower 32 bits.
        if u64::from(self.size) != look.size & u64::from(u32::MAX) || !same_time(self.modified, look.modified) {
            return FileState::TrackedModified;
        }
        if look.modified >= written { FileState::Unknown } else { FileState::TrackedClean }
    }
}

fn same_time(a: Time, b: Time) -> bool {
    a.seconds == b.seconds && (a.nanoseconds == b.nanoseconds || a.nanoseconds == 0 || b.nanoseconds == 0)
}

/// Bytes of all paths of an index of version 4, which stores only what differs from the path before.
const PATH_BYTES: usize = 64 * 1024 * 1024;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let end = self.at.checked_add(count).ok_or(Malformed)?;
        let taken = self.bytes.get(self.at..end).ok_or(Malformed)?;
        self.at = end;
        Ok(taken)
    }

    fn number32(&mut self) -> Result<u32, Malformed> {
        self.take(4)?.try_into().map(u32::from_be_bytes).map_err(|_| Malformed)
    }

    fn number16(&mut self) -> Result<u16, Malformed> {
        self.take(2)?.try_into().map(u16::from_be_bytes).map_err(|_| Malformed)
    }

    /// Source: gitformat-pack(5), "offset encoding".
    fn offset_number(&mut self) -> Result<usize, Malformed> {
        let mut value: usize = 0;
        for position in 0..5 {
            let [byte] = *self.take(1)? else {
                return Err(Malformed);
            };
            if position > 0 {
                value += 1;
            }
            value = value.checked_mul(128).ok_or(Malformed)? | usize::from(byte & 0x7f);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed)
    }

    fn until_nul(&mut self) -> Result<&'a [u8], Malformed> {
        let rest = self.bytes.get(self.at..).ok_or(Malformed)?;
        let length = rest.iter().position(|byte| *byte == 0).ok_or(Malformed)?;
        let taken = self.take(length)?;
        self.at += 1;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: Time = Time { seconds: 2_000, nanoseconds: 0 };

    struct Row {
        path: &'static str,
        seconds: u32,
        size: u32,
        flags: u16,
        extended: Option<u16>,
        mode: u32,
    }

    const fn row(path: &'static str, seconds: u32, size: u32) -> Row {
        Row { path, seconds, size, flags: 0, extended: None, mode: 0o100_644 }
    }

    fn index(version: u32, rows: &[Row], extension: Option<&[u8; 4]>) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend((rows.len() as u32).to_be_bytes());
        let mut previous = "";
        for row in rows {
            let start = bytes.len();
            for number in [1, 2, row.seconds, 7, 0, 0, row.mode, 0, 0, row.size] {
                bytes.extend(u32::to_be_bytes(number));
            }
            bytes.extend([9; 20]);
            let extended = if row.extended.is_some() { 0x4000 } else { 0 };
            bytes.extend((row.flags | extended | row.path.len() as u16).to_be_bytes());
            bytes.extend(row.extended.map(u16::to_be_bytes).into_iter().flatten());
            if version == 4 {
                let same = previous.bytes().zip(row.path.bytes()).take_while(|(a, b)| a == b).count();
                bytes.push((previous.len() - same) as u8);
                bytes.extend(row.path.bytes().skip(same));
                bytes.push(0);
                previous = row.path;
            } else {
                bytes.extend(row.path.bytes());
                bytes.push(0);
                while !(bytes.len() - start).is_multiple_of(8) {
                    bytes.push(0);
                }
            }
        }
        if let Some(signature) = extension {
            bytes.extend(signature);
            bytes.extend(3u32.to_be_bytes());
            bytes.extend([0; 3]);
        }
        bytes.extend([0; 20]);
        bytes
    }

    fn look(seconds: u32, size: u64) -> FileLook {
        FileLook { size, modified: Time { seconds, nanoseconds: 7 }, is_link: false }
    }

    #[test]
    fn every_version_says_the_same() {
        let rows = || [row("a", 1_000, 5), row("src/a.rs", 1_001, 6), row("src/b.rs", 1_002, 7), row("src.txt", 1_003, 8)];
        for version in 2..=4 {
            let mut rows = rows();
            rows.sort_by_key(|row| row.path);
            let index = Index::parse(&index(version, &rows, Some(b"TREE")), 20).unwrap();
            assert_eq!(index.len(), 4);
            assert!(!index.is_partial && !index.is_empty());
            for (path, look, state) in [
                ("a", look(1_000, 5), FileState::TrackedClean),
                ("a", look(1_000, 6), FileState::TrackedModified),
                ("a", look(1_001, 5), FileState::TrackedModified),
                ("src/b.rs", look(1_002, 7), FileState::TrackedClean),
                ("src/b.rs", look(1_002, 7 + (1 << 32)), FileState::TrackedClean),
                ("src/c.rs", look(1_002, 7), FileState::Untracked),
                ("src", look(1_002, 7), FileState::Untracked),
            ] {
                assert_eq!(index.state(path, look, WRITTEN), state, "version {version}, {path}");
            }
            assert_eq!(index.below("src").collect::<Vec<_>>(), ["src/a.rs", "src/b.rs"]);
            assert_eq!(index.below("").count(), 4);
            assert_eq!(index.below("other").count(), 0);
        }
    }

    #[test]
    fn what_cannot_be_told_is_unknown() {
        let index = |row: Row| Index::parse(&index(3, &[row], None), 20).unwrap();
        assert_eq!(index(row("a", 2_000, 5)).state("a", look(2_000, 5), WRITTEN), FileState::Unknown);
        assert_eq!(index(row("a", 1_000, 0)).state("a", look(1_000, 5), WRITTEN), FileState::Unknown);
        assert_eq!(index(row("a", 1_000, 0)).state("a", look(1_000, 0), WRITTEN), FileState::TrackedClean);
        let unmerged = Row { flags: 0x2000, ..row("a", 1_000, 5) };
        assert_eq!(index(unmerged).state("a", look(1_000, 5), WRITTEN), FileState::TrackedModified);
        let intended = Row { extended: Some(0x2000), ..row("a", 1_000, 0) };
        assert_eq!(index(intended).state("a", look(1_000, 5), WRITTEN), FileState::TrackedModified);
        let link = Row { mode: 0o120_000, ..row("a", 1_000, 5) };
        assert_eq!(index(link).state("a", look(1_000, 5), WRITTEN), FileState::TrackedModified);
    }

    #[test]
    fn partial_indices_are_told_apart() {
        let split = Index::parse(&index(2, &[], Some(b"link")), 20).unwrap();
        assert!(split.is_partial);
        assert_eq!(split.state("a", look(1, 1), WRITTEN), FileState::Unknown);
        let sparse = Row { mode: 0o040_000, ..row("dir/", 0, 0) };
        assert!(Index::parse(&index(3, &[sparse], None), 20).unwrap().is_partial);
    }

    #[test]
    fn broken_bytes_are_refused() {
        let good = index(4, &[row("a", 1, 1), row("ab", 1, 1)], None);
        for length in 0..good.len() - 20 {
            assert_eq!(Index::parse(&good[..length], 20).map(|index| index.len()), Err(Malformed), "{length}");
        }
        for at in 0..good.len() {
            let mut changed = good.clone();
            changed[at] ^= 0xff;
            let _ = Index::parse(&changed, 20);
        }
        assert_eq!(Index::parse(b"DIRC\0\0\0\x05\0\0\0\0", 20), Err(Malformed));
        assert_eq!(Index::parse(b"DIRC\0\0\0\x02\xff\xff\xff\xff", 20), Err(Malformed));
    }
}
