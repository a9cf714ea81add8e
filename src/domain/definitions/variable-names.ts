/** Lists the variables of a step's request. A run passes only these variables to the step. */
import type {
  JsonValue,
  RequestBody,
  SentNetworkStep,
  StepDefinition,
  WithAuth,
} from '../../contracts/definition';
import type { WithTls } from '../../contracts/definitions/tls';
import { listFilledIn } from '../templates/payload';
import { findReferences } from '../templates/template';
import { listTexts } from '../text/list-texts';

type Request = Pick<StepDefinition, 'url' | 'headers' | 'extract' | 'assertions'> &
  RequestBody &
  WithAuth &
  WithTls;
type Named = Request | Pick<SentNetworkStep, 'settings' | 'extract'>;

/**
 * Returns the names of `{{name}}` references in URL, header values, authentication, body and expected values, and the
 * names that the step extracts. Each name occurs once.
 */
export function listStepVariableNames(step: Named): readonly string[] {
  const { extract = [] } = step;
  const named = listTexts('settings' in step ? Object.values(step.settings) : templatesIn(step))
    .flatMap((text) => findReferences(text))
    .filter(({ kind }) => kind === 'variable')
    .map(({ name }) => name);
  return [...new Set([...named, ...extract.map(({ variable }) => variable)])];
}

function templatesIn(step: Request): JsonValue {
  const { url, headers, assertions } = step;
  const expected = assertions.map(({ value = null }) => value);
  return [url, headers.map(({ value }) => value), listFilledIn(step), expected];
}
