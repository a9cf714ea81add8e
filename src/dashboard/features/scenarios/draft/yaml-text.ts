/** A draft as YAML and back, judged by the schema of the API. Loaded with the editor only. */
import { parse, stringify } from 'yaml';
import { validate } from '../../../../schemas/issues';
import { scenarioBody } from '../../../../schemas/scenario';
import type { Problems } from '../../../shared/form/problems';
import { maskedRows, unmaskedRows } from '../../../shared/form/secret-header';
import { type Draft, toDraft } from './draft';
import { toBody } from './draft-body';

type Read =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly problems: Problems };

/** Credentials in headers stay out of it. */
export function toYaml(draft: Draft): string {
  const steps = draft.steps.map((step) => ({ ...step, headers: maskedRows(step.headers) }));
  return stringify(toBody({ ...draft, steps }));
}

/**
 * Nothing of a text that the API would refuse reaches the form, which could not show it. Masked headers
 * get the values that they have in `shown`.
 */
export function readYaml(text: string, shown: Draft): Read {
  const parsed = parseYaml(text);
  if (!parsed.ok) return parsed;
  const checked = validate(scenarioBody, parsed.value);
  if (!checked.ok) return { ok: false, problems: checked.problems };
  const draft = toDraft(parsed.value);
  const steps = draft.steps.map((step, index) => {
    const before = shown.steps.find(({ name }) => name === step.name) ?? shown.steps[index];
    return { ...step, headers: unmaskedRows(step.headers, before?.headers ?? []) };
  });
  return { ok: true, draft: { ...draft, steps } };
}

function parseYaml(
  text: string,
):
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: Problems } {
  try {
    const value: unknown = parse(text);
    return { ok: true, value };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'must be valid YAML';
    return { ok: false, problems: [{ path: 'YAML', message }] };
  }
}
