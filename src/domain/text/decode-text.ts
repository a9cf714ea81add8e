/**
 * Decodes bytes by their charset. The charset comes from a byte order mark, a header, or the start of markup (HTML
 * standard, “determining the character encoding”). Pure.
 */

type Decoder = InstanceType<typeof TextDecoder>;

const MARKUP_BYTES = 1_024;
const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]+)/i;
const MARKUP_TYPE = /^\s*(?:text\/html|[^;]*[/+]xml)\s*(?:;|$)/i;
const XML_ENCODING = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']/i;
const META_CHARSET = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i;

/** Returns the decoder of a charset, or null for an unknown name. */
function findDecoder(charset: string | undefined): Decoder | null {
  if (charset === undefined) return null;
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

/** Returns the charset of a byte order mark. */
export function findMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * Returns the charset that an XML declaration or a `<meta>` names. Never returns UTF-16, because markup in which this
 * function can read the declaration is not in UTF-16.
 */
function findInMarkup(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, MARKUP_BYTES));
  const text = start.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '');
  const named = XML_ENCODING.exec(text)?.[1] ?? META_CHARSET.exec(text)?.[1];
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named;
}

/** Decodes a body. The charset that the markup declares is used if the content type is markup or unknown. */
export function decodeBodyText(bytes: Uint8Array, contentType: string): string {
  const isMarkup = contentType.trim() === '' || MARKUP_TYPE.test(contentType);
  const decoder =
    findDecoder(findMark(bytes)) ??
    findDecoder(CHARSET.exec(contentType)?.[1]) ??
    findDecoder(isMarkup ? findInMarkup(bytes) : undefined);
  return (decoder ?? new TextDecoder()).decode(bytes);
}

export interface TextTail {
  /** The last bytes of the text. */
  readonly bytes: Uint8Array;
  /** The first bytes of the text, enough for a byte order mark. */
  readonly start: Uint8Array;
  /** The number of bytes before `bytes`. */
  readonly skipped: number;
  readonly contentType: string;
}

/** Recognises UTF-16 without a byte order mark. In most texts in UTF-16, every other byte is NUL. */
function findUtf16(bytes: Uint8Array, skipped: number): string | undefined {
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) {
    const side = (index + skipped) % 2;
    if (byte === 0) zeros[side] = (zeros[side] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const most = bytes.length / 4;
  if (odd > most && even <= odd / 8) return 'utf-16le';
  return even > most && odd <= even / 8 ? 'utf-16be' : undefined;
}

/** Returns the bytes from the first complete UTF-8 character on. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(Math.min(3, Math.max(0, start)));
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes the output of a program. A byte order mark or a header determines the charset. Otherwise, the charset is
 * UTF-16 if the text looks like UTF-16, UTF-8 if the text is valid UTF-8, and windows-1252 in all other cases.
 */
export function decodeTail({ bytes, start, skipped, contentType }: TextTail): string {
  const named = findDecoder(findMark(start)) ?? findDecoder(CHARSET.exec(contentType)?.[1]);
  const whole = skipped === 0 ? bytes : fromCharacter(bytes);
  const guessed = (): Decoder =>
    new TextDecoder(findUtf16(bytes, skipped) ?? (isUtf8(whole) ? 'utf-8' : 'windows-1252'));
  const decoder = named ?? guessed();
  if (decoder.encoding === 'utf-8') return decoder.decode(whole);
  const isHalf = decoder.encoding.startsWith('utf-16') && skipped % 2 === 1;
  return decoder.decode(isHalf ? bytes.subarray(1) : bytes);
}
