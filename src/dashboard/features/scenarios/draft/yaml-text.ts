/** A draft as YAML and back, judged by the schema of the API. Loaded with the editor only. */
import { parse, stringify } from 'yaml';
import { validate } from '../../../../schemas/issues';
import { scenarioBody } from '../../../../schemas/scenario';
import type { Problems } from '../../../shared/form/problems';
import { type Draft, toDraft } from './draft';
import { toBody } from './draft-body';

type Read =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly problems: Problems };

export function toYaml(draft: Draft): string {
  return stringify(toBody(draft));
}

/** Nothing of a text that the API would refuse reaches the form, which could not show it. */
export function readYaml(text: string): Read {
  const parsed = parseYaml(text);
  if (!parsed.ok) return parsed;
  const checked = validate(scenarioBody, parsed.value);
  if (!checked.ok) return { ok: false, problems: checked.problems };
  return { ok: true, draft: toDraft(parsed.value) };
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
    const message = error instanceof Error ? error.message : 'is no YAML';
    return { ok: false, problems: [{ path: 'YAML', message }] };
  }
}
