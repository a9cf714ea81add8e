/** Which variables the request of a step names, so that a run hands it no others. */
import type { StepDefinition } from '../../contracts/definition';
import { textsIn } from '../secrets/redact';
import { findReferences } from '../templates/template';

type Named = Pick<StepDefinition, 'url' | 'headers' | 'body' | 'extract'>;

/**
 * Names behind `{{name}}` in address, header values and body, and those that it extracts itself: a
 * value of a secret name stays secret. Each once, in order of appearance.
 */
export function variableNamesIn({ url, headers, body, extract }: Named): readonly string[] {
  const named = textsIn([url, headers.map(({ value }) => value), body])
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'variable')
    .map(({ name }) => name);
  return [...new Set([...named, ...extract.map(({ variable }) => variable)])];
}
