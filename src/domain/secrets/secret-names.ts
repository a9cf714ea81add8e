/**
 * Lists the secrets that a definition uses, so that they can be fetched, and so that affected definitions can be found
 * when a secret changes.
 */
import type { JsonValue, RequestBody, StepDefinition, WithAuth } from '../../contracts/definition';
import type { WithTls } from '../../contracts/definitions/tls';
import type { NetworkCheck } from '../../contracts/kinds';
import { findReferences, type Reference } from '../templates/template';
import { textsIn } from '../text/texts-in';
import { listSentTexts } from './secret-reach';

type Sent = (Pick<StepDefinition, 'headers'> & RequestBody & WithAuth & WithTls) | NetworkCheck;

/**
 * Returns the names in `{{secret:name}}` and `{{$totp:name}}` in everything that the steps send. Each name occurs once,
 * in order of appearance.
 */
export function secretNamesIn(steps: readonly Sent[]): readonly string[] {
  return [...new Set(secretsIn(steps).map(({ name }) => name))];
}

/** Returns the names in `{{$totp:name}}`. */
export function codeNamesIn(steps: readonly Sent[]): readonly string[] {
  return secretsIn(steps)
    .filter(({ isCode }) => isCode === true)
    .map(({ name }) => name);
}

function secretsIn(steps: readonly Sent[]): readonly Reference[] {
  return steps
    .flatMap(listTexts)
    .flatMap(textsIn)
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'secret');
}

/**
 * For types other than HTTP, returns all settings. A setting that must not contain secrets was refused when it was
 * saved.
 */
function listTexts(step: Sent): readonly JsonValue[] {
  return 'settings' in step ? Object.values<JsonValue>({ ...step.settings }) : listSentTexts(step);
}
