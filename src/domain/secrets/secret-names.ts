/** Which secrets a definition names, so that they can be fetched, and found when one changes. */
import type { JsonValue, RequestBody, StepDefinition, WithAuth } from '../../contracts/definition';
import type { WithTls } from '../../contracts/definitions/tls';
import type { NetworkStep } from '../../contracts/kinds';
import { filledInOf } from '../templates/payload';
import { findReferences, type Reference } from '../templates/template';
import { textsIn } from '../text/texts-in';

type Sending = (Pick<StepDefinition, 'headers'> & RequestBody & WithAuth & WithTls) | NetworkStep;

/** What of a step may name secrets: header values, the body and what TLS needs, or what another kind sends. */
export function sentTextsOf(step: Sending): readonly JsonValue[] {
  if ('settings' in step) return sentTextsOfKind(step);
  return [step.headers.map(({ value }) => value), filledInOf(step)];
}

function sentTextsOfKind({ type, settings }: NetworkStep): readonly JsonValue[] {
  if (type === 'tcp') return [settings.send];
  return type === 'websocket' ? [settings.send, settings.headers.map(({ value }) => value)] : [];
}

/** Names behind `{{secret:name}}` and `{{$totp:name}}` in what the steps send, each once, in order of appearance. */
export function secretNamesIn(steps: readonly Sending[]): readonly string[] {
  return [...new Set(secretsIn(steps).map(({ name }) => name))];
}

/** Those behind `{{$totp:name}}`. */
export function codeNamesIn(steps: readonly Sending[]): readonly string[] {
  return secretsIn(steps)
    .filter(({ isCode }) => isCode === true)
    .map(({ name }) => name);
}

function secretsIn(steps: readonly Sending[]): readonly Reference[] {
  return steps
    .flatMap(sentTextsOf)
    .flatMap(textsIn)
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'secret');
}
