/** What a step of another kind than HTTP hands on: from its response as text, or from its facts as JSON. */
import {
  type Extractions,
  extractAll,
  foundBy,
  isMarkedSecret,
  runBeside,
} from '../checks/examine-response';
import type { Extraction } from '../contracts/definition';
import type { TextTask } from '../text/text-task';
import type { Probing } from './probing';

export type Extracting = Pick<Probing, 'pool' | 'redaction' | 'found'> & {
  /** What is extracted under one of these names is secret, too. */
  readonly secretVariables: ReadonlySet<string>;
};

const NOTHING: Extractions = { extracted: [], areSecretsFound: true, failure: null };

/** Nothing where nothing came back: that failed already. */
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
  const results = await runBeside(extracting, { ...job, tasks });
  return extractAll(extract, results.map(foundBy), extracting);
}

/** The shape of a step has refused all other sources. */
function taskFor(extraction: Extraction, subject: string, isSecret: boolean): TextTask {
  if (extraction.from === 'jsonPath')
    return { kind: 'path', path: extraction.path, want: 'first', isSecret };
  const pattern = 'pattern' in extraction ? (extraction.pattern ?? '') : '';
  return { kind: 'pattern', pattern, subject, isSecret };
}
