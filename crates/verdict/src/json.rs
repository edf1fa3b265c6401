//! A JSON value read under [`crate::bounds`], which `serde_json::Value` cannot do: it keeps the last of duplicate keys and
//! has no count of values.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};

use crate::bounds;

/// A JSON value. Objects keep the order of their keys and have no duplicates.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Any number, as a double.
    Number(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value under `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Self::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The string under `key`, if there is one.
    pub fn string(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Self::as_str)
    }

    /// The entries, if this is an object.
    pub fn entries(&self) -> &[(String, Json)] {
        match self {
            Self::Object(entries) => entries,
            _ => &[],
        }
    }
}

/// The word in an error message that marks a bound of [`crate::bounds`] exceeded, as opposed to malformed JSON.
pub const LIMIT_MARK: &str = "tool-input-limit";

/// Counts while reading. One budget for one document.
#[derive(Debug, Default)]
struct Counted {
    values: usize,
    keys: usize,
    string_bytes: usize,
}

impl Counted {
    fn value<E: de::Error>(&mut self) -> Result<(), E> {
        self.values += 1;
        over(self.values > bounds::VALUES)
    }

    fn key<E: de::Error>(&mut self) -> Result<(), E> {
        self.keys += 1;
        over(self.keys > bounds::KEYS)
    }

    fn string<E: de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        self.string_bytes += bytes;
        over(bytes > bounds::STRING_BYTES || self.string_bytes > bounds::TOTAL_STRING_BYTES)
    }
}

fn over<E: de::Error>(exceeded: bool) -> Result<(), E> {
    if exceeded { Err(E::custom(LIMIT_MARK)) } else { Ok(()) }
}

impl<'de> Deserialize<'de> for Json {
    /// # Errors
    /// Malformed JSON, a duplicate key, or a bound exceeded (the message then contains [`LIMIT_MARK`] and nothing of the input).
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counted = Counted::default();
        Reader { counted: &mut counted, depth: 0 }.deserialize(deserializer)
    }
}

struct Reader<'a> {
    counted: &'a mut Counted,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.counted.value()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Json;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Json, E> {
        self.counted.string(value.len())?;
        Ok(Json::String(value.to_owned()))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<Json, E> {
        self.counted.string(value.len())?;
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let depth = self.depth + 1;
        over(depth > bounds::DEPTH)?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Reader { counted: &mut *self.counted, depth })? {
            self.counted.key()?;
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let depth = self.depth + 1;
        over(depth > bounds::DEPTH)?;
        let mut entries = Vec::new();
        let mut seen = std::collections::HashSet::new();
        while let Some(key) = access.next_key::<String>()? {
            self.counted.key()?;
            if !seen.insert(key.clone()) {
                return Err(de::Error::custom("an object has the same key twice"));
            }
            let value = access.next_value_seed(Reader { counted: &mut *self.counted, depth })?;
            entries.push((key, value));
        }
        Ok(Json::Object(entries))
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(item)?;
                }
                sequence.end()
            }
            Self::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}
