/** Extracts values from a step of any kind except HTTP: from its text, or from its facts as JSON. */
import {
  type Extractions,
  extractAll,
  isMarkedSecret,
  readFound,
  runRedacted,
} from '../checks/examine-response';
import type { Extraction } from '../contracts/definition';
import type { TextTask } from '../text/text-task';
import type { Probing } from './probing';

export type Extracting = Pick<Probing, 'pool' | 'redaction' | 'found'> & {
  /** Variables whose extracted values are secret. */
  readonly secretVariables: ReadonlySet<string>;
};

const NOTHING: Extractions = { extracted: [], areSecretsFound: true, failure: null };

/** Extracts the values. Without a response, the step has failed, and nothing is extracted. */
export async function extractFrom(
  extract: readonly Extraction[],
  extracting: Extracting,
): Promise<Extractions> {
  const { found, secretVariables } = extracting;
  const { response, facts, isCut, isOpen } = found;
  if (response === null || extract.length === 0) return NOTHING;
  const tasks = extract.map((extraction) =>
    taskFor(extraction, response, isMarkedSecret(extraction, secretVariables)),
  );
  const job = facts === null ? { text: response, isCut, isOpen } : { text: JSON.stringify(facts) };
  const results = await runRedacted(extracting, { ...job, tasks });
  return extractAll(extract, results.map(readFound), extracting);
}

/** Creates the task for a JSON path or a pattern. The schema of the step rejects all other sources. */
function taskFor(extraction: Extraction, subject: string, isSecret: boolean): TextTask {
  if (extraction.from === 'jsonPath')
    return { kind: 'path', path: extraction.path, want: 'first', isSecret };
  const pattern = 'pattern' in extraction ? (extraction.pattern ?? '') : '';
  return { kind: 'pattern', pattern, subject, isSecret };
}
