/**
 * What visitors of a status page are sent: rendered once per reading, compressed once per encoding, and kept for as
 * long as the reading.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface RenderedText {
  readonly text: string;
  readonly policy: string;
  readonly etag: string;
  /** Resolves with the compressed text. */
  readonly compress: (encoding: Encoding) => Promise<Buffer>;
}

export type Encoding = keyof typeof COMPRESSORS;

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

/** Of a reading, which is the object that `render` shows. */
export type RenderOnce = (reading: object, variant: Variant, render: Render) => RenderedText;

interface Kept {
  readonly parts: readonly unknown[];
  readonly rendered: RenderedText;
}

/** Costs a third of the time of the best compression, for a size that is a tenth larger. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const COMPRESSORS = {
  br: (text: string) => promisify(brotliCompress)(text, QUALITY),
  gzip: (text: string) => promisify(gzip)(text),
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

/** What is sent only once. */
export function renderText({ text, policy }: Unsent): RenderedText {
  const compressed = new Map<Encoding, Promise<Buffer>>();
  return {
    text,
    policy,
    etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
    compress: (encoding) => {
      const buffer = compressed.get(encoding) ?? COMPRESSORS[encoding](text);
      compressed.set(encoding, buffer);
      return buffer;
    },
  };
}
