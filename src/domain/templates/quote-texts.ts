/** Foreign texts that are to be sent as they stand, although they look like templates. Pure. */
import { quoteBraces } from './template';

/** Every text in it with its braces quoted; names of members stay, since no template is looked for in them. */
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

/** Braces of a URL as clients send them. */
export function quoteUrl(url: string): string {
  return url.replaceAll('{{', '%7B%7B').replaceAll('}}', '%7D%7D');
}
