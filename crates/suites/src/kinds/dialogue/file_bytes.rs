//! The content of a dialogue's file, as the suite file has it: bytes in hexadecimal digits, each word with a count if it is
//! repeated, such as `71e8235d 00x76`.

/// The most bytes of a file.
const MOST_BYTES: usize = 1 << 20;

/// Reads the bytes.
///
/// # Errors
/// What is wrong.
pub(super) fn parse(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for word in text.split_ascii_whitespace() {
        let wrong = || {
            format!(
                "`{word}` is no bytes; give hexadecimal digits such as `71e8`, or `00x76` for 76 times 00"
            )
        };
        let (digits, times) = word.split_once('x').unwrap_or((word, "1"));
        let times: usize = times.parse().map_err(|_| wrong())?;
        let pairs = digits.as_bytes().chunks(2).map(|pair| {
            let is_byte = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
            u8::from_str_radix(str::from_utf8(pair).ok().filter(|_| is_byte)?, 16).ok()
        });
        let piece: Vec<u8> = pairs.collect::<Option<_>>().ok_or_else(wrong)?;
        // Before `repeat`, which would allocate any number of bytes.
        if piece.len().saturating_mul(times) > MOST_BYTES - bytes.len() {
            return Err(format!("`{text}` has more than {MOST_BYTES} bytes; give fewer"));
        }
        bytes.extend(piece.repeat(times));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_word_by_word() {
        assert_eq!(parse(""), Ok(Vec::new()));
        assert_eq!(parse("71e8 00x3  ff"), Ok(vec![0x71, 0xe8, 0, 0, 0, 0xff]));
        assert_eq!(parse("abcdx2"), Ok(vec![0xab, 0xcd, 0xab, 0xcd]));
        for wrong in ["7", "7g", "+1", "00x", "00xfew", "00x-1", "é0"] {
            let error = parse(wrong).expect_err(wrong);
            assert!(error.contains("is no bytes; give hexadecimal digits"), "{error}");
        }
        assert!(parse("00x1048576 00").expect_err("too many").contains("more than 1048576 bytes"));
    }
}
