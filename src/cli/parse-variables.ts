/** Parses `name=value` and `name:=json` on the command line. */
import { formatReason, usageError } from './cli-error';

/**
 * Parses the values of `--var`. If a name occurs twice, the later value counts. Throws a usage error for a text that is
 * neither `name=value` nor `name:=json`.
 */
export function parseVariables(given: readonly string[]): Readonly<Record<string, unknown>> {
  const pairs = given.map((text): readonly [string, unknown] => {
    const [, name = '', colon = '', value = ''] =
      /^([A-Za-z_][A-Za-z0-9_]*)(:?)=([\s\S]*)$/.exec(text) ?? [];
    if (name === '')
      throw usageError(
        `--var ${text} is not name=value.`,
        'Write --var user=ada or --var count:=3.',
      );
    return [name, colon === '' ? value : parseJson(text, value)];
  });
  return Object.fromEntries(pairs);
}

function parseJson(text: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw usageError(`--var ${text} is not valid JSON: ${formatReason(error)}.`);
  }
}
