//! What the tests need of a Markdown page: its links, its anchors and its code blocks, with their lines.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A page, read.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// Targets of links and images, with their lines.
    pub(crate) links: Vec<(usize, String)>,
    /// The anchors of headings, as GitHub and mdBook derive them.
    pub(crate) anchors: BTreeSet<String>,
    /// What is in code type inside the text, with its lines.
    pub(crate) codes: Vec<(usize, String)>,
    /// The fenced code blocks, in order.
    pub(crate) blocks: Vec<Block>,
}

/// A fenced code block.
#[derive(Debug)]
pub(crate) struct Block {
    /// The line of its opening fence, from 1.
    pub(crate) line: usize,
    /// The first word after the fence.
    pub(crate) language: String,
    /// The other words.
    pub(crate) attributes: Vec<String>,
    /// The text between the fences.
    pub(crate) text: String,
    /// Where the text lies in the page.
    pub(crate) range: Range<usize>,
}

impl Block {
    /// Does it have this attribute?
    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|known| known == attribute)
    }

    /// The value of `KEY=VALUE` among its attributes.
    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find_map(|attribute| attribute.strip_prefix(key)?.strip_prefix('='))
    }
}

/// Reads a page.
pub(crate) fn outline(text: &str) -> Outline {
    let mut outline = Outline::default();
    let mut heading: Option<String> = None;
    let mut block: Option<Block> = None;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let line = |offset: usize| {
        text[..offset].lines().count() + usize::from(text[..offset].ends_with('\n') || offset == 0)
    };
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                outline.links.push((line(range.start), dest_url.into_string()));
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let slug = slug(&heading.take().unwrap_or_default());
                let times = seen.entry(slug.clone()).or_default();
                outline.anchors.insert(if *times == 0 { slug } else { format!("{slug}-{times}") });
                *times += 1;
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                block = Some(Block {
                    line: line(range.start),
                    language: words.next().unwrap_or_default(),
                    attributes: words.collect(),
                    text: String::new(),
                    range: range.end..range.end,
                });
            }
            Event::End(TagEnd::CodeBlock) => outline.blocks.extend(block.take()),
            Event::Code(piece) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&piece);
                }
                outline.codes.push((line(range.start), piece.into_string()));
            }
            Event::Text(piece) => {
                if let Some(block) = &mut block {
                    block.text.push_str(&piece);
                    block.range = block.range.start.min(range.start)..range.end;
                } else if let Some(heading) = &mut heading {
                    heading.push_str(&piece);
                }
            }
            _ => {}
        }
    }
    outline
}

/// The anchor of a heading: lower case, letters, digits, `-` and `_` kept, spaces as `-`.
fn slug(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn outline_has_links_anchors_and_blocks() {
    let page = "# A `b`, c\n\n[x](y.md#z) ![p](q.png)\n\n## Same\n\n## Same\n\n```sh needs-engine\nls\n```\n\n    no fence\n";
    let outline = outline(page);
    assert_eq!(outline.links, [(3, "y.md#z".to_owned()), (3, "q.png".to_owned())]);
    assert_eq!(outline.codes, [(1, "b".to_owned())]);
    assert_eq!(outline.anchors.iter().collect::<Vec<_>>(), ["a-b-c", "same", "same-1"]);
    let [block] = &outline.blocks[..] else { panic!("one fenced block: {outline:?}") };
    assert_eq!((block.line, block.language.as_str(), block.text.as_str()), (9, "sh", "ls\n"));
    assert!(block.has("needs-engine"));
    assert_eq!(&page[block.range.clone()], "ls\n");
}
