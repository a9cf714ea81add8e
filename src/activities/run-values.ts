/**
 * Secret values of a run between its steps: sealed for the workflow, which only carries them, and
 * opened here for the request that needs them.
 */
import type { StepReference } from '../contracts/activities';
import type { JsonValue } from '../contracts/definition';
import { runCookiesContext, runValueContext } from '../contracts/seal-contexts';
import type { Reach, ReachingVariable } from '../domain/secrets/secret-reach';
import type { TextSealer } from '../platform/sealing';

type RunOf = Pick<StepReference, 'accountId' | 'runId' | 'vars'>;

/** The values in plain text; throws when one was altered, or belongs to another run. */
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

/** Seals a value that a step extracted; undefined outside of a run. */
export function runValueSealer(
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

/** The cookies of the run as one text; null for none, and outside of a run. */
export function openRunCookies(
  sealer: Pick<TextSealer, 'open'>,
  { accountId, runId, cookies }: Pick<StepReference, 'accountId' | 'runId' | 'cookies'>,
): string | null {
  if (runId === undefined || cookies === undefined) return null;
  return sealer.open(cookies, runCookiesContext(accountId, runId));
}

/** Seals the cookies of the run for its next step; undefined outside of a run. */
export function runCookieSealer(
  sealer: Pick<TextSealer, 'seal'>,
  { accountId, runId }: RunOf,
): ((text: string) => string) | undefined {
  if (runId === undefined) return undefined;
  return (text) => sealer.seal(text, runCookiesContext(accountId, runId));
}

/** Marks extracted values. Values given with a run are sealed as JSON alone, which never begins with this. */
const EXTRACTED = '@';

/** The seal proves that we wrote it. */
function parseSealed(text: string): Pick<ReachingVariable, 'value' | 'reach'> {
  return text.startsWith(EXTRACTED)
    ? JSON.parse(text.slice(EXTRACTED.length))
    : { value: JSON.parse(text) };
}
