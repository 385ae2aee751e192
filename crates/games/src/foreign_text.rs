//! Turns the bytes of a user's file into text, in one way for all readers.
//!
//! Editors write UTF-8, with or without a byte order mark, and UTF-16; files of the 1990s are ISO 8859-1
//! (Latin-1), which the standards of PGN and EPD require. Each is recognised by its bytes.

use std::borrow::Cow;

/// UTF-8's byte order mark.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// With or without a byte order mark.
    Utf8,
    /// With a byte order mark.
    Utf16,
    /// ISO 8859-1: every byte is the character with its number.
    Latin1,
}

/// Why bytes are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// A byte that no text has.
    #[error("line {line} has a zero byte, so this is no text file; save it as UTF-8")]
    ZeroByte {
        /// The line, from 1.
        line: usize,
    },
    /// Damaged UTF-16.
    #[error("begins as UTF-16 does, but is no UTF-16; save it as UTF-8")]
    DamagedUtf16,
    /// Bytes that are not UTF-8, where nothing else is accepted.
    #[error("line {line}: is not UTF-8 text; save it as UTF-8")]
    Utf8Only {
        /// The line, from 1.
        line: usize,
    },
}

/// Decodes the bytes of a file. A byte order mark is removed, and lines that end with a carriage return alone
/// get line feeds.
///
/// # Errors
/// If the bytes are no text.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), NotText> {
    let (text, encoding) = if let Some(units) = utf16_units(bytes) {
        let units = units?;
        (Cow::Owned(String::from_utf16(&units).map_err(|_| NotText::DamagedUtf16)?), Encoding::Utf16)
    } else {
        let (text, encoding) = decode_line(bytes.strip_prefix(MARK).unwrap_or(bytes));
        (text, encoding)
    };
    // A zero byte is valid in UTF-8, and Latin-1 has every byte: without this check binary files would be
    // text.
    if let Some(at) = text.find('\0') {
        return Err(NotText::ZeroByte { line: 1 + text[..at].matches('\n').count() });
    }
    // Classic Mac OS ended lines with a carriage return alone, which `str::lines` does not split.
    let is_old = text.contains('\r') && !text.contains('\n');
    Ok((if is_old { Cow::Owned(text.replace('\r', "\n")) } else { text }, encoding))
}

/// Decodes UTF-8 and UTF-16 only, for files of formats that require UTF-8.
///
/// # Errors
/// If the bytes are no such text.
pub fn decode_unicode(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    match decode(bytes)? {
        (_, Encoding::Latin1) => {
            let upto = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
            Err(NotText::Utf8Only { line: 1 + memchr::memchr_iter(b'\n', &bytes[..upto]).count() })
        }
        (text, Encoding::Utf8 | Encoding::Utf16) => Ok(text),
    }
}

/// Decodes a piece of a file that is not UTF-16, such as a line.
pub fn decode_line(bytes: &[u8]) -> (Cow<'_, str>, Encoding) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), Encoding::Utf8),
        Err(_) => (Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()), Encoding::Latin1),
    }
}

/// Does a file that begins with these bytes have the form of UTF-16?
pub fn is_utf16(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")
}

/// The units of UTF-16 after its byte order mark; `None` if there is no such mark.
fn utf16_units(bytes: &[u8]) -> Option<Result<Vec<u16>, NotText>> {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let (pairs, rest) = bytes[2..].as_chunks::<2>();
    let units = || pairs.iter().map(|&pair| unit(pair)).collect();
    Some(rest.is_empty().then(units).ok_or(NotText::DamagedUtf16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_in_every_encoding() {
        let table: [(&[u8], &str, Encoding); 8] = [
            (b"M\xc3\xbcller\r\n", "Müller\r\n", Encoding::Utf8),
            (b"\xef\xbb\xbfa", "a", Encoding::Utf8),
            (b"M\xfcller\n", "Müller\n", Encoding::Latin1),
            (b"\xef\xbb\xbfM\xfc", "Mü", Encoding::Latin1),
            (b"\xff\xfeM\0\xfc\0", "Mü", Encoding::Utf16),
            (b"\xfe\xff\0M\0\xfc", "Mü", Encoding::Utf16),
            (b"a\rb\r", "a\nb\n", Encoding::Utf8),
            (b"", "", Encoding::Utf8),
        ];
        for (bytes, text, encoding) in table {
            assert_eq!(decode(bytes), Ok((Cow::Borrowed(text), encoding)), "{text}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let table: [(&[u8], NotText); 4] = [
            (b"a\n\0", NotText::ZeroByte { line: 2 }),
            (b"\xff\xfea\0\0\0", NotText::ZeroByte { line: 1 }),
            (b"\xff\xfea", NotText::DamagedUtf16),
            (b"\xff\xfe\0\xd8", NotText::DamagedUtf16),
        ];
        for (bytes, error) in table {
            assert_eq!(decode(bytes), Err(error), "{bytes:?}");
        }
        assert_eq!(decode_unicode(b"\xef\xbb\xbfa").as_deref(), Ok("a"));
        assert_eq!(decode_unicode(b"a\nM\xfcller"), Err(NotText::Utf8Only { line: 2 }));
    }
}
