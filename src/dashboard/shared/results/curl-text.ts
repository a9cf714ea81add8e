/** Formats the stored parts of a request as a curl command; masked values stay masked. Pure. */
import type { Result } from '../data/api-types';

/** Headers that curl sends by itself, so the command leaves them out. */
const OWN = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'user-agent']);

export function curlText({ method, url, headers }: NonNullable<Result['request']>): string {
  const lines = (headers ?? [])
    .filter(({ name }) => !OWN.has(name.toLowerCase()))
    .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`);
  const verb = method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`-X ${method}`];
  return ['curl -i', ...verb, quoted(url), ...lines].join(' \\\n  ');
}

/** Quotes the text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
