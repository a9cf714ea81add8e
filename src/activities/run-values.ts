/**
 * Decrypts the secret values of a run for the request that needs them. Between steps, the workflow stores them
 * encrypted.
 */
import type { StepReference } from '../contracts/activities';
import type { JsonValue } from '../contracts/definition';
import { runCookiesContext, runValueContext } from '../contracts/seal-contexts';
import type { Reach, ReachingVariable } from '../domain/secrets/secret-reach';
import type { TextSealer } from '../platform/sealing';

type RunOf = Pick<StepReference, 'accountId' | 'runId' | 'vars'>;

/** Returns the values in plain text. Throws if a value was altered or belongs to another run. */
export function openRunValues(
  sealer: Pick<TextSealer, 'open'>,
  { accountId, runId, vars }: RunOf,
): readonly ReachingVariable[] {
  return (vars ?? []).map((variable) => {
    if (variable.secret !== true) return variable;
    const { name, value } = variable;
    if (runId === undefined || typeof value !== 'string') throw new Error('not a sealed value');
    const text = sealer.open(value, runValueContext(accountId, runId, name));
    return { ...variable, ...parseSealed(text) };
  });
}

/** Encrypts a value that a step extracted. undefined means that the step belongs to no run. */
export function createRunValueSealer(
  sealer: Pick<TextSealer, 'seal'>,
  { accountId, runId }: RunOf,
): ((name: string, value: JsonValue, reach: Reach) => string) | undefined {
  if (runId === undefined) return undefined;
  return (name, value, reach) =>
    sealer.seal(
      `${EXTRACTED}${JSON.stringify({ value, reach })}`,
      runValueContext(accountId, runId, name),
    );
}

/** Returns the cookies of the run as text. null means that there are no cookies, or the step belongs to no run. */
export function openRunCookies(
  sealer: Pick<TextSealer, 'open'>,
  { accountId, runId, cookies }: Pick<StepReference, 'accountId' | 'runId' | 'cookies'>,
): string | null {
  if (runId === undefined || cookies === undefined) return null;
  return sealer.open(cookies, runCookiesContext(accountId, runId));
}

/** Encrypts the cookies of the run for its next step. undefined means that the step belongs to no run. */
export function createRunCookieSealer(
  sealer: Pick<TextSealer, 'seal'>,
  { accountId, runId }: RunOf,
): ((text: string) => string) | undefined {
  if (runId === undefined) return undefined;
  return (text) => sealer.seal(text, runCookiesContext(accountId, runId));
}

/**
 * The first character of an extracted value. A value that was given with a run is plain JSON, which never starts with
 * this character.
 */
const EXTRACTED = '@';

/** The cast is safe, because the text was encrypted by this service in this format. */
function parseSealed(text: string): Pick<ReachingVariable, 'value' | 'reach'> {
  return text.startsWith(EXTRACTED)
    ? JSON.parse(text.slice(EXTRACTED.length))
    : { value: JSON.parse(text) };
}
