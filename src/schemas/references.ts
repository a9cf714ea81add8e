/**
 * Which `{{names}}` a request uses and whether something before it defines them. One pass over
 * URL, header values and body strings; it renders nothing.
 */
import type { JsonValue, NamedValue } from '../contracts/definition';
import { findReferences, type Reference } from '../domain/template';
import { report } from './issues';

interface RequestParts {
  readonly url: string;
  readonly headers: readonly NamedValue[];
  readonly body: JsonValue;
}

type Context = Parameters<typeof report>[0];

/** Reports every reference to a variable that is not in `known`, and every secret in a URL. */
export function checkReferences(
  request: RequestParts,
  known: ReadonlySet<string>,
  { context, path }: { readonly context: Context; readonly path: readonly PropertyKey[] },
): void {
  const checkText = (text: string, at: readonly PropertyKey[]): void => {
    for (const reference of findReferences(text)) {
      const problem = findReferenceProblem(reference, known);
      if (problem !== null) report(context, [...path, ...at], problem);
    }
  };
  checkText(request.url, ['url']);
  if (findReferences(request.url).some(({ kind }) => kind === 'secret')) {
    report(context, [...path, 'url'], {
      code: 'invalid_value',
      message: 'must not hold a secret: addresses are logged; use a header or the body',
    });
  }
  for (const header of request.headers) checkText(header.value, ['headers', header.name]);
  for (const [at, text] of stringsOf(request.body, ['body'])) checkText(text, at);
}

function findReferenceProblem(
  { kind, name }: Reference,
  known: ReadonlySet<string>,
): { readonly code: string; readonly message: string } | null {
  if (kind === 'generated' || kind === 'secret') return null;
  if (kind === 'malformed') {
    return { code: 'invalid_value', message: `holds {{${name}}}, which is not a name` };
  }
  if (known.has(name)) return null;
  const message = `uses {{${name}}}, which nothing before it defines`;
  return { code: 'unknown_variable', message };
}

function stringsOf(
  value: JsonValue,
  path: readonly PropertyKey[],
): readonly (readonly [readonly PropertyKey[], string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (value === null || typeof value !== 'object') return [];
  const children: readonly [PropertyKey, JsonValue][] = Array.isArray(value)
    ? value.map((item: JsonValue, index): [PropertyKey, JsonValue] => [index, item])
    : Object.entries(value);
  return children.flatMap(([key, child]) => stringsOf(child, [...path, key]));
}
