/** Options of a request as forms hold them: an empty number is at its default. Pure. */
import type { RequestOptions } from '../../../contracts/definition';
import { REQUEST_OPTION_NAMES, STEP_OPTION_DEFAULTS } from '../../../schemas/request-options';

export type DraftOptions = {
  readonly [Name in keyof RequestOptions]: RequestOptions[Name] extends number
    ? number | null
    : RequestOptions[Name];
};

type Values = Readonly<Record<string, unknown>>;

/** What the body of a step says; what is not as expected counts as absent. */
export function draftOptionsOf(body: Values): DraftOptions {
  const read = (name: keyof RequestOptions): unknown => {
    const fallback = STEP_OPTION_DEFAULTS[name];
    if (typeof body[name] === typeof fallback) return body[name];
    return typeof fallback === 'boolean' ? fallback : null;
  };
  const options: Values = Object.fromEntries(
    REQUEST_OPTION_NAMES.map((name) => [name, read(name)]),
  );
  // Each is of the type of its default, or null.
  return options as unknown as DraftOptions;
}

/** Without what is at its default: empty, or as `defaults` has it. */
export function changedOptions(
  draft: DraftOptions,
  defaults?: RequestOptions,
): Readonly<Record<string, number | boolean>> {
  return Object.fromEntries(
    REQUEST_OPTION_NAMES.flatMap((name) => {
      const value = draft[name];
      return value === null || value === defaults?.[name] ? [] : [[name, value] as const];
    }),
  );
}
