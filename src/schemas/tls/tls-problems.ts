/** Rules between the fields of `tls`. They read bodies as they came. */
import { isNetworkKind } from '../../contracts/kinds';
import { formatPath, type ShapeProblem } from '../issues';
import { listOf, recordOf } from '../loose';
import { TRUST_FIELDS } from './tls-field';

type Loose = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

/** Of a monitor, a step or a scenario. */
export function findTlsProblems(given: Loose, path: Path): readonly ShapeProblem[] {
  const { type } = given;
  const tls = recordOf(given['tls']);
  return isNetworkKind(type) ? findForeignFields(tls, type, path) : findPairProblems(tls, path);
}

/** Of a scenario and of all its requests; steps of other types refuse such fields by their shapes. */
export function findScenarioTlsProblems(scenario: Loose): readonly ShapeProblem[] {
  const steps = listOf(scenario['steps']).map(recordOf);
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
    message: `is no field of the type ${type}, whose certificates are always checked`,
  }));
}

/** Each with the one that it is nothing without. */
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
    message: `is required beside ${formatPath([...path, 'tls', name])}`,
  }));
}
