/**
 * The texts that visitors of a status page get: rendered once per reading, compressed once per encoding, and kept for
 * as long as the reading.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';

export interface RenderedText {
  readonly text: string;
  readonly policy: string;
  /** The encodings in which it may be sent, the best first; none for a text that is too short to compress. */
  readonly encodings: readonly Encoding[];
  /** A strong entity tag, so each encoding has its own (RFC 9110 §8.8.3.3). null: sent as it is. */
  readonly formatTag: (encoding: Encoding | null) => string;
  /** Resolves with the compressed text. */
  readonly compress: (encoding: Encoding) => Promise<Buffer>;
}

/** Not only the best, as what is compressed later on the way would have the tag of the text itself. */
const ENCODINGS = ['br', 'gzip', 'deflate'] as const;
type Encoding = (typeof ENCODINGS)[number];
type Compressors = Readonly<Record<Encoding, (text: string) => Promise<Buffer>>>;

interface Unsent {
  readonly text: string;
  readonly policy: string;
}

/** Rendered anew when one of the parts is not the same as before. */
interface Variant {
  /** Tells apart what is rendered from the same reading; there must be few of them. */
  readonly name: string;
  readonly parts?: readonly unknown[];
}

type Render = () => Unsent;

/** Renders a reading, or returns the text that was already rendered for the same reading and variant. */
export type RenderOnce = (reading: object, variant: Variant, render: Render) => RenderedText;

interface Kept {
  readonly parts: readonly unknown[];
  readonly rendered: RenderedText;
}

const WORTH_COMPRESSING_BYTES = 1_024;
/** Costs a third of the time of the best compression, for a size that is a tenth larger. */
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
