/** A draft as YAML and back, judged by the schema of the API. Loaded with the editor only. */
import { stringify } from 'yaml';
import { readYaml as readText } from '../../../formats/yaml';
import type { DefinitionKind, ReadDraft } from './definition-kind';

/** Credentials in headers stay out of it. */
export function toYaml<Draft>(kind: DefinitionKind<Draft>, draft: Draft): string {
  return stringify(kind.toBody(kind.mask(draft)));
}

/**
 * Nothing of a text that the API would refuse reaches the form, which could not show it. Masked headers
 * get the values that they have in `shown`.
 */
export function readYaml<Draft>(
  kind: DefinitionKind<Draft>,
  text: string,
  shown: Draft,
): ReadDraft<Draft> {
  try {
    const typed = readText(text);
    const read = kind.readTyped(typed);
    return read.ok ? { ok: true, draft: kind.unmask(read.draft, shown) } : read;
  } catch (error) {
    const message = error instanceof Error ? error.message : 'must be valid YAML';
    return { ok: false, problems: [{ path: 'YAML', message }] };
  }
}
