/** Converts the variables of a Checkly check. Plain texts are copied, and locked values come from the environment. */
import { z } from 'zod';
import { formatPlaceholder } from '../environment-placeholders';
import { isSecretName } from '../hide-secrets';
import type { Fields } from '../imported';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

export const variablesShape = z
  .array(
    z.looseObject({
      key: z.string(),
      value: z.string(),
      locked: z.boolean().nullish(),
      secret: z.boolean().nullish(),
    }),
  )
  .nullish();

interface Taker {
  readonly note: (message: string) => void;
  readonly declare: (name: string) => void;
}

/** Converts the variables. If a name occurs more than once, its last value counts. */
export function importVariables(given: z.output<typeof variablesShape>, taker: Taker): Fields {
  const known = (given ?? []).filter(({ key }) => {
    const isFine = NAME.test(key);
    if (!isFine) taker.note(`has a variable ${key}, which is not a valid name here`);
    return isFine;
  });
  return Object.fromEntries(
    known.map(({ key, value, locked, secret }) => {
      if (locked !== true && secret !== true) return [key, value];
      taker.note(`has a locked variable ${key}: set it in the environment when you apply`);
      taker.declare(key);
      return [key, { value: formatPlaceholder(key), secret: true }];
    }),
  );
}

/**
 * Converts variables of the Checkly account, whose values are not in the files. The environment provides the values
 * when a file is applied.
 */
export function importUndefinedVariables(
  names: readonly string[],
  inUrl: readonly string[],
  { note, declare }: Taker,
): Fields {
  const known = names.filter((name) => NAME.test(name));
  if (known.length > 0)
    note(`uses ${known.join(', ')}; define them in the environment when you apply`);
  return Object.fromEntries(
    known.map((name) => {
      declare(name);
      // A variable that is used in a URL does not become a secret, because URLs may not contain
      // secrets.
      const isSecret = isSecretName(name) && !inUrl.includes(name);
      return [
        name,
        isSecret ? { value: formatPlaceholder(name), secret: true } : formatPlaceholder(name),
      ];
    }),
  );
}

/** Returns the names that the texts refer to as `{{NAME}}`. */
export function listReferencedNames(texts: unknown): readonly string[] {
  const found = JSON.stringify(texts).matchAll(/\{\{\{?\s*([^{}]+?)\s*\}?\}\}/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}
