/** Which secrets a definition names, so that they can be fetched, and found when one changes. */
import type { JsonValue, StepDefinition } from '../../contracts/definition';
import { findReferences } from '../templates/template';
import { textsIn } from './redact';

type Named = Pick<StepDefinition, 'headers' | 'body'>;

/** Names behind `{{secret:name}}` in header values and bodies, each once, in order of appearance. */
export function secretNamesIn(steps: readonly Named[]): readonly string[] {
  const names = steps
    .flatMap(({ headers, body }): readonly JsonValue[] => [headers.map(({ value }) => value), body])
    .flatMap(textsIn)
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'secret')
    .map(({ name }) => name);
  return [...new Set(names)];
}
