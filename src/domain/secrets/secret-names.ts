/** Lists the secrets that a definition uses. */
import type { JsonValue, RequestBody, StepDefinition, WithAuth } from '../../contracts/definition';
import type { WithTls } from '../../contracts/definitions/tls';
import type { NetworkCheck } from '../../contracts/kinds';
import { findReferences, type Reference } from '../templates/template';
import { listTexts } from '../text/list-texts';
import { listSentTexts } from './secret-reach';

type Sent = (Pick<StepDefinition, 'headers'> & RequestBody & WithAuth & WithTls) | NetworkCheck;

/** Returns the names in `{{secret:name}}` and `{{$totp:name}}`. Each name occurs once, in order of appearance. */
export function listReferencedSecrets(steps: readonly Sent[]): readonly string[] {
  return [...new Set(secretsIn(steps).map(({ name }) => name))];
}

/** Returns the names in `{{$totp:name}}`. */
export function listReferencedCodes(steps: readonly Sent[]): readonly string[] {
  return secretsIn(steps)
    .filter(({ isCode }) => isCode === true)
    .map(({ name }) => name);
}

function secretsIn(steps: readonly Sent[]): readonly Reference[] {
  return steps
    .flatMap(listValues)
    .flatMap(listTexts)
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'secret');
}

/**
 * Lists the texts of a step that may refer to secrets. For types other than HTTP, these are all settings. A secret in a
 * setting that must not contain secrets was refused when the definition was saved.
 */
function listValues(step: Sent): readonly JsonValue[] {
  return 'settings' in step ? Object.values<JsonValue>({ ...step.settings }) : listSentTexts(step);
}
