/** Parses a file as a set of objects. The service validates the objects. Pure. */
import { isRecord } from '../../../../contracts/json';
import { readYaml } from '../../../../formats/yaml';

export type ReadSet =
  | { readonly ok: true; readonly set: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads YAML, which includes JSON. Ignores `prune` and `dryRun` in the file, because the user chooses both on the page.
 */
export function readSet(text: string): ReadSet {
  try {
    const value = readYaml(text);
    if (!isRecord(value)) return { ok: false, reason: 'it must be an object with lists' };
    const { dryRun: _dryRun, prune: _prune, ...set } = value;
    return { ok: true, set };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'it is not valid YAML' };
  }
}
