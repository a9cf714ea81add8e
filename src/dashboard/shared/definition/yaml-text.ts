/** Converts a draft to YAML and back, and checks it by the schema of the API. Loaded only with the editor. */
import { stringify } from 'yaml';
import { readYaml as readText } from '../../../formats/yaml';
import type { DefinitionKind, ReadDraft } from './definition-kind';

/** Converts a draft to YAML. Credentials in headers are masked. */
export function toYaml<Draft>(kind: DefinitionKind<Draft>, draft: Draft): string {
  return stringify(kind.toBody(kind.mask(draft)));
}

/**
 * Reads YAML. A text that the API would refuse does not change the form. Masked headers get their values from `shown`.
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
