/** Which secrets a definition names, so that they can be fetched, and found when one changes. */
import type { JsonValue, RequestBody, StepDefinition } from '../../contracts/definition';
import { filledInOf } from '../templates/payload';
import { findReferences } from '../templates/template';
import { textsIn } from '../text/texts-in';

type Named = Pick<StepDefinition, 'headers'> & RequestBody;

/** Names behind `{{secret:name}}` in header values and bodies, each once, in order of appearance. */
export function secretNamesIn(steps: readonly Named[]): readonly string[] {
  const names = steps
    .flatMap((step): readonly JsonValue[] => [
      step.headers.map(({ value }) => value),
      filledInOf(step),
    ])
    .flatMap(textsIn)
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'secret')
    .map(({ name }) => name);
  return [...new Set(names)];
}
