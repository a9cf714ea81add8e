/** Converts a draft to YAML and back, and validates it with the schema of the API. Loaded only with the editor. */
import { stringify } from 'yaml';
import { readYaml as readText } from '../../../formats/yaml';
import type { DefinitionKind, ReadDraft } from './definition-kind';

/** Converts a draft to YAML. Credentials in headers are masked. */
export function toYaml<Draft>(kind: DefinitionKind<Draft>, draft: Draft): string {
  return stringify(kind.toBody(kind.mask(draft)));
}

/**
 * Converts YAML to a draft, or returns the problems for which the API would refuse the text. Masked headers get their
 * values from `shown`.
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
