/** Rules that involve several fields of `tls`. The rules read bodies that are not validated yet. */
import { isNetworkKind } from '../../contracts/kinds';
import { formatPath, type ShapeProblem } from '../issues';
import { readList, readRecord } from '../loose';
import { TRUST_FIELDS } from './tls-field';

type Loose = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

/** Finds problems in the field `tls` of a monitor, a step or a scenario. */
export function findTlsProblems(given: Loose, path: Path): readonly ShapeProblem[] {
  const { type } = given;
  const tls = readRecord(given['tls']);
  return isNetworkKind(type) ? findForeignFields(tls, type, path) : findPairProblems(tls, path);
}

/**
 * Finds problems in the field `tls` of a scenario and of all its HTTP requests. In steps of other types, `tls` has none
 * of the checked fields.
 */
export function findScenarioTlsProblems(scenario: Loose): readonly ShapeProblem[] {
  const steps = readList(scenario['steps']).map(readRecord);
  return [
    ...findTlsProblems({ tls: scenario['tls'] }, []),
    ...steps.flatMap((step, index) =>
      isNetworkKind(step['type']) ? [] : findTlsProblems(step, ['steps', index]),
    ),
  ];
}

function findForeignFields(tls: Loose, type: string, path: Path): ShapeProblem[] {
  return TRUST_FIELDS.filter((name) => name in tls).map((name) => ({
    path: formatPath([...path, 'tls', name]),
    code: 'unknown_field',
    message: `is not a field of the type ${type}, which always checks certificates`,
  }));
}

/** Pairs of a field and the field that it requires. */
const PAIRS = [
  ['certificate', 'key'],
  ['key', 'certificate'],
  ['passphrase', 'key'],
] as const;

function findPairProblems(tls: Loose, path: Path): ShapeProblem[] {
  const isGiven = (name: string): boolean => (tls[name] ?? null) !== null;
  const missing = PAIRS.filter(([name, other]) => isGiven(name) && !isGiven(other));
  return [...new Map(missing.map(([name, other]) => [other, name]))].map(([other, name]) => ({
    path: formatPath([...path, 'tls', other]),
    code: 'required',
    message: `is required with ${formatPath([...path, 'tls', name])}`,
  }));
}
