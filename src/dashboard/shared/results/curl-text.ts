/** A request as a command of curl, as far as it was kept: masked values stay masked. Pure. */
import type { Result } from '../data/api-types';

/** curl sends these itself, or must not get them. */
const OWN = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'user-agent']);

export function curlText({ method, url, headers }: NonNullable<Result['request']>): string {
  const lines = (headers ?? [])
    .filter(({ name }) => !OWN.has(name.toLowerCase()))
    .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`);
  const verb = method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`-X ${method}`];
  return ['curl -i', ...verb, quoted(url), ...lines].join(' \\\n  ');
}

/** For a POSIX shell: nothing in it has a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
