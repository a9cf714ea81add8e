/** Quotes braces in imported texts, so that they are sent literally. Pure. */
import { quoteBraces } from './template';

/** Quotes the braces of every text in the value. Member names stay unchanged. */
export function quoteTexts(value: unknown): unknown {
  if (typeof value === 'string') return quoteBraces(value);
  if (Array.isArray(value)) return value.map(quoteTexts);
  if (typeof value !== 'object' || value === null) return value;
  return quoteFields({ ...value });
}

export function quoteFields(
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, quoteTexts(value)]),
  );
}

/** Percent-encodes the braces of a URL, as clients send them. */
export function quoteUrl(url: string): string {
  return url.replaceAll('{{', '%7B%7B').replaceAll('}}', '%7D%7D');
}
