/** Formats the path of a request in a form that a trace may contain. */
import { isId } from '../../domain/definitions/ids';
import { ID_PARAMETERS } from './id-parameters';

/**
 * Returns the path with its ids filled in. Other parameters and malformed ids stay `{name}`, because they may be tokens
 * or typed text.
 */
export function formatTracedPath(route: string, path: string): string {
  const sent = path.split('/');
  return route
    .split('/')
    .map((part, index) => {
      if (!part.startsWith(':')) return part;
      const name = part.slice(1);
      const kind = ID_PARAMETERS.get(name);
      const value = sent[index] ?? '';
      return kind !== undefined && isId(kind, value) ? value : `{${name}}`;
    })
    .join('/');
}
