/** Which secrets a definition names, so that they can be fetched, and found when one changes. */
import type { JsonValue, RequestBody, StepDefinition, WithAuth } from '../contracts/definition';
import type { WithTls } from '../contracts/definitions/tls';
import type { NetworkCheck } from '../contracts/kinds';
import { sentTextsOf } from '../domain/secrets/secret-reach';
import { findReferences, type Reference } from '../domain/templates/template';
import { textsIn } from '../domain/text/texts-in';
import { KIND_SHAPES } from './shapes';

type Sent = (Pick<StepDefinition, 'headers'> & RequestBody & WithAuth & WithTls) | NetworkCheck;

/** What a check of another kind than HTTP sends: all of it that may name secrets. */
export function sentSettings({ type, settings }: NetworkCheck): readonly JsonValue[] {
  const sent = new Set(KIND_SHAPES[type].secretFields);
  return Object.entries<JsonValue>({ ...settings }).flatMap(([name, value]) =>
    sent.has(name) ? [value] : [],
  );
}

/** Names behind `{{secret:name}}` and `{{$totp:name}}` in what the steps send, each once, in order of appearance. */
export function secretNamesIn(steps: readonly Sent[]): readonly string[] {
  return [...new Set(secretsIn(steps).map(({ name }) => name))];
}

/** Those behind `{{$totp:name}}`. */
export function codeNamesIn(steps: readonly Sent[]): readonly string[] {
  return secretsIn(steps)
    .filter(({ isCode }) => isCode === true)
    .map(({ name }) => name);
}

function secretsIn(steps: readonly Sent[]): readonly Reference[] {
  return steps
    .flatMap((step) => ('settings' in step ? sentSettings(step) : sentTextsOf(step)))
    .flatMap(textsIn)
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'secret');
}
