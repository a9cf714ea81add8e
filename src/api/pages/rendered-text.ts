/**
 * Renders status pages. While the data of a page does not change, a text is rendered once and compressed once per
 * encoding.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';

export interface RenderedText {
  readonly text: string;
  readonly policy: string;
  /** The encodings in which the text may be sent, the best first. Empty if the text is too short to compress. */
  readonly encodings: readonly Encoding[];
  /**
   * Returns a strong entity tag. Each encoding has its own tag (RFC 9110 §8.8.3.3). null means that the text is sent
   * uncompressed.
   */
  readonly formatTag: (encoding: Encoding | null) => string;
  /** Resolves with the compressed text. */
  readonly compress: (encoding: Encoding) => Promise<Buffer>;
}

/**
 * All encodings that browsers accept. If one were missing, a proxy might compress the text itself and keep the tag of
 * the uncompressed text.
 */
const ENCODINGS = ['br', 'gzip', 'deflate'] as const;
type Encoding = (typeof ENCODINGS)[number];
type Compressors = Readonly<Record<Encoding, (text: string) => Promise<Buffer>>>;

interface Unsent {
  readonly text: string;
  readonly policy: string;
}

/**
 * Identifies one text that is rendered from the data of a page (the reading). The text is rendered again if one of
 * `parts` has changed.
 */
interface Variant {
  /** Distinguishes texts rendered from the same reading. Each name is cached, so there must be few names. */
  readonly name: string;
  readonly parts?: readonly unknown[];
}

type Render = () => Unsent;

/** Renders the data of a page, or returns the text that was already rendered for the same data and variant. */
export type RenderOnce = (reading: object, variant: Variant, render: Render) => RenderedText;

interface Kept {
  readonly parts: readonly unknown[];
  readonly rendered: RenderedText;
}

const WORTH_COMPRESSING_BYTES = 1_024;
/**
 * This quality takes a third of the time that the best quality takes. The compressed text is about 10 percent larger.
 */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const COMPRESSORS: Compressors = {
  br: (text) => promisify(brotliCompress)(text, QUALITY),
  gzip: (text) => promisify(gzip)(text),
  deflate: (text) => promisify(deflate)(text),
};

export function createRenderOnce(): RenderOnce {
  const known = new WeakMap<object, Map<string, Kept>>();
  return (reading, { name, parts = [] }, render) => {
    const variants = known.get(reading) ?? new Map<string, Kept>();
    known.set(reading, variants);
    const kept = variants.get(name);
    if (kept?.parts.every((part, index) => part === parts[index])) return kept.rendered;
    const rendered = renderText(render());
    variants.set(name, { parts, rendered });
    return rendered;
  };
}

/** Prepares a text for sending, without storing it. */
export function renderText({ text, policy }: Unsent, compressors = COMPRESSORS): RenderedText {
  const compressed = new Map<Encoding, Promise<Buffer>>();
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 27);
  return {
    text,
    policy,
    encodings: Buffer.byteLength(text) < WORTH_COMPRESSING_BYTES ? [] : ENCODINGS,
    formatTag: (encoding) => (encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`),
    compress: async (encoding) => {
      const running = compressed.get(encoding) ?? compressors[encoding](text);
      compressed.set(encoding, running);
      try {
        return await running;
      } catch (error) {
        compressed.delete(encoding);
        throw error;
      }
    },
  };
}
