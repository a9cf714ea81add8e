/** The body of a scenario (docs/api.md): steps in order. Later steps can use values that earlier steps extract. */
import { z } from 'zod';
import { COOKIE_MODES, STEPS_MAX } from '../contracts/definition';
import { isNetworkKind } from '../contracts/kinds';
import { findKindsWith, KIND_SHAPES, listOwnFieldNames } from '../kinds/shapes';
import { courseOptionFields, extractField, untilField, WEEK_SECONDS } from '../kinds/step-fields';
import { findKindStepProblems, KIND_STEPS } from '../kinds/steps';
import { urlField } from '../kinds/url';
import { alertsField, guidanceFields } from './alerts';
import { assertionsField } from './assertion';
import { authField } from './auth/auth-field';
import { findScenarioAuthProblems, usesSharedAuth } from './auth/auth-problems';
import { environmentField } from './environments/environment';
import type { WithReferences } from './environments/open-references';
import {
  degradedAboveMsField,
  dependsOnField,
  enabledField,
  groupField,
  headersField,
  intervalSecondsField,
  nameField,
  profileField,
  regionsField,
  resourceKeyField,
  tagsField,
  variablesField,
} from './fields';
import { hoursFields } from './hours/hours-fields';
import { formatPath, type ShapeProblem } from './issues';
import { readList, readNumber, readRecord, readText } from './loose';
import { routeFields } from './proxy/proxy-field';
import {
  findFieldReferenceProblems,
  findReferenceProblems,
  type KnownNames,
  listVariableNames,
} from './references';
import {
  findBodyProblems,
  requestBodyFields,
  requestMethodField,
  withMethod,
} from './request-body';
import { stepOptionFields } from './request-options';
import { requestTlsField, sharedTlsField } from './tls/tls-field';
import { findScenarioTlsProblems } from './tls/tls-problems';

export const DEFAULT_INTERVAL_SECONDS = 300;
const DEFAULT_TIMEOUT_SECONDS = 300;
/**
 * The maximum number of tries of all repeated steps together. It is limited because each try adds to the history of the
 * run.
 */
const REPETITIONS_MAX = 1_000;

/** Fields that each contain one number or switch, in the order in which forms show them. */
export const stepFields = {
  ...stepOptionFields,
  degradedAboveMs: degradedAboveMsField,
  ...courseOptionFields,
};

/**
 * Returns the message for unknown fields, with the names of the types that have them. Returns undefined if one of the
 * fields exists in no type.
 */
function describeForeignFields(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const types = issue.keys.map(findKindsWith);
  if (types.some(({ length }) => length === 0)) return undefined;
  const names = [...new Set(types.flat())].join(', ');
  return `is not a field of the type http, which is the default of a step; other types are ${names}`;
}

/** One request of a scenario. */
export const stepShape = z.strictObject(
  {
    type: z
      .literal('http')
      .meta({ description: 'A step without a type is an HTTP request, too' })
      .optional(),
    name: nameField,
    method: requestMethodField,
    url: urlField,
    headers: headersField,
    auth: authField,
    ...routeFields,
    ...requestBodyFields,
    extract: extractField,
    cookies: z.enum(COOKIE_MODES).default('keep').meta({
      description:
        'keep: the step sends and stores cookies of the run; ignore: it does neither; clear: it starts without cookies',
    }),
    assertions: assertionsField,
    ...stepFields,
    tls: requestTlsField,
    until: untilField,
  },
  { error: describeForeignFields },
);

/** Fields that each contain one number or switch, in the order in which forms show them. */
export const scenarioOptionFields = {
  timeoutSeconds: z
    .int()
    .min(1)
    .max(WEEK_SECONDS)
    .meta({
      description: 'Seconds that the requests of a run may take in total, without waiting times',
    })
    .default(DEFAULT_TIMEOUT_SECONDS),
  cookies: z
    .boolean()
    .default(true)
    .meta({ description: 'true: cookies are passed from step to step' }),
};

/** A step by its type. Without a type, it is an HTTP request. */
const anyStep = z.discriminatedUnion('type', [stepShape.transform(withMethod), ...KIND_STEPS]);

const scenarioFields = z.strictObject({
  name: nameField,
  steps: z
    .array(anyStep)
    .min(1)
    .max(STEPS_MAX)
    .meta({ description: 'Requests and other checks that run one after the other' }),
  profile: profileField,
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField.meta({
    description:
      'Regions that make a run in each slot, at most 20; default: the first region that runs',
  }),
  alerts: alertsField,
  dependsOn: dependsOnField,
  ...hoursFields,
  ...guidanceFields,
  group: groupField,
  tags: tagsField,
  key: resourceKeyField,
  variables: variablesField,
  environment: environmentField,
  auth: authField,
  tls: sharedTlsField,
  ...routeFields,
  ...scenarioOptionFields,
  onFailure: z
    .enum(['stop', 'continue'])
    .meta({
      description:
        'After a failed step. stop: only `always` steps still run; continue: all steps run',
    })
    .default('stop'),
  enabled: enabledField,
});

export const SCENARIO_FIELD_NAMES: readonly string[] = Object.keys(scenarioFields.shape);

function findProblems(body: unknown): readonly ShapeProblem[] {
  const scenario = readRecord(body);
  const steps = readList(scenario['steps']).map(readRecord);
  return [
    ...findNameProblems(steps),
    ...findRepetitionProblems(steps),
    ...steps.flatMap((step, index) => findStepProblems(step, ['steps', index])),
    ...findScenarioAuthProblems(scenario),
    ...findScenarioTlsProblems(scenario),
    ...findStepReferenceProblems(scenario, steps),
  ];
}

/** A whole scenario, as POST and PUT accept it. */
export const scenarioBody = { shape: scenarioFields, findProblems };

export type ScenarioBody = z.output<typeof scenarioBody.shape> & WithReferences;

/** The body of a test: an unsaved scenario, and the region in which it runs. */
export const scenarioTestBody = {
  shape: scenarioFields.extend({
    region: z.string().min(1).max(32).describe('Region that makes the test'),
  }),
  findProblems,
};

export type ScenarioTestBody = z.output<typeof scenarioTestBody.shape> & WithReferences;

type LooseStep = Readonly<Record<string, unknown>>;

function findNameProblems(steps: readonly LooseStep[]): ShapeProblem[] {
  const names = steps.map((step) => readText(step['name']).trim());
  return names.flatMap((name, index) => {
    if (name === '' || names.indexOf(name) === index) return [];
    const path = formatPath(['steps', index, 'name']);
    return [{ path, code: 'duplicate_name', message: 'is already the name of an earlier step' }];
  });
}

function findStepProblems(step: LooseStep, path: readonly PropertyKey[]): readonly ShapeProblem[] {
  const { type } = step;
  return isNetworkKind(type)
    ? findKindStepProblems(type, step, path)
    : findBodyProblems(step, path);
}

function findRepetitionProblems(steps: readonly LooseStep[]): ShapeProblem[] {
  let total = 0;
  for (const [index, step] of steps.entries()) {
    const until = readRecord(step['until']);
    const everySeconds = readNumber(until['everySeconds'], 0) ?? 0;
    if (everySeconds < 1) continue;
    total += Math.floor((readNumber(until['forSeconds'], 0) ?? 0) / everySeconds) + 1;
    if (total <= REPETITIONS_MAX) continue;
    const path = formatPath(['steps', index, 'until', 'everySeconds']);
    const message = `allows more than ${REPETITIONS_MAX} tries in one run; use a longer interval`;
    return [{ path, code: 'out_of_bounds', message }];
  }
  return [];
}

function findUnknownReferences(
  step: LooseStep,
  known: KnownNames,
  path: readonly PropertyKey[],
): readonly ShapeProblem[] {
  const { type } = step;
  if (!isNetworkKind(type)) return findReferenceProblems(step, known, path);
  const { secretFields } = KIND_SHAPES[type];
  return findFieldReferenceProblems(step, {
    names: listOwnFieldNames(type),
    secretFields,
    known,
    path,
  });
}

/**
 * Finds invalid references in the steps. A step may refer to variables of the scenario and to values that earlier steps
 * extract. If a step uses the scenario's authentication, the same rule applies to the authentication.
 */
function findStepReferenceProblems(
  { variables, auth }: LooseStep,
  steps: readonly LooseStep[],
): ShapeProblem[] {
  const known = listVariableNames(variables);
  const ofShared = new Map<string, ShapeProblem>();
  const ofSteps = steps.flatMap((step, index) => {
    const problems = findUnknownReferences(step, known, ['steps', index]);
    const shared = usesSharedAuth(step) ? findReferenceProblems({ auth }, known, []) : [];
    for (const problem of shared) ofShared.set(`${problem.path} ${problem.message}`, problem);
    for (const [name, source] of Object.entries(readRecord(step['extract']))) {
      const { secret, from } = readRecord(source);
      const isMarked = secret === true || from === 'cookie';
      const isSecret = isMarked || known.get(name)?.isSecret === true;
      known.set(name, { isSecret });
    }
    return problems;
  });
  return [...ofShared.values(), ...ofSteps];
}
