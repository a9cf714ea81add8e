/** Parses inline Markdown in a line of a note: links, bold, italic and code. Everything else is plain text. Pure. */

export interface Piece {
  readonly kind: 'text' | 'bold' | 'italic' | 'code' | 'link';
  readonly text: string;
  /** The http or https URL of a link; empty for other kinds. */
  readonly href: string;
}

/** Matches `[words](https://…)`, a URL, `code`, **bold**, and *italic* or _italic_. */
const MARKS =
  /\[([^\]\n]{1,200})\]\((https?:\/\/[^\s()<>]{1,1000})\)|(https?:\/\/[^\s<>"'`]{1,1000})|`([^`\n]{1,1000})`|\*\*(\S|\S[^*\n]{0,1000}\S)\*\*|(?<![\w*])[*_]([^\s*_]|[^\s*_][^*_\n]{0,1000}[^\s*_])[*_](?![\w*])/g;

/** Splits the text into pieces, in their order. Together they contain the whole text. No piece is ever HTML. */
export function splitText(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > done) pieces.push(plain(text.slice(done, match.index)));
    const [whole, words, target, url, code, bold, italic] = match;
    // Punctuation right after a URL belongs to the sentence and not to the URL.
    const bare = url?.replace(/[.,;:!?)\]]+$/, '');
    if (words !== undefined && target !== undefined)
      pieces.push({ kind: 'link', text: words, href: target });
    else if (bare !== undefined) pieces.push({ kind: 'link', text: bare, href: bare });
    else if (code !== undefined) pieces.push({ kind: 'code', text: code, href: '' });
    else if (bold !== undefined) pieces.push({ kind: 'bold', text: bold, href: '' });
    else pieces.push({ kind: 'italic', text: italic ?? '', href: '' });
    done = match.index + (bare === undefined ? whole.length : bare.length);
  }
  if (done < text.length) pieces.push(plain(text.slice(done)));
  return pieces;
}

function plain(text: string): Piece {
  return { kind: 'text', text, href: '' };
}
