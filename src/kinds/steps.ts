/** Scenario steps of all kinds except HTTP: their bodies and rules. */
import { z } from 'zod';
import type { Extraction } from '../contracts/definition';
import { NETWORK_KINDS, type NetworkKind } from '../contracts/kinds';
import { degradedAboveMsField, nameField, tlsField } from '../schemas/fields';
import { formatPath, report, type ShapeProblem } from '../schemas/issues';
import { stepOptionFields } from '../schemas/request-options';
import { allowFieldReferences } from './allow-references';
import type { ReadKind, Sent } from './fields';
import { KIND_SHAPES, listOwnFieldNames } from './shapes';
import { courseOptionFields, extractField, untilField } from './step-fields';

/** The sources from which steps of these kinds extract values. All other sources are only for HTTP. */
const SOURCES: readonly Extraction['from'][] = ['jsonPath', 'body'];

const kindExtractField = extractField.superRefine((extract, context) => {
  for (const { variable, from, resolve } of extract) {
    if (!SOURCES.includes(from)) {
      const message = `only works with HTTP; use ${SOURCES.join(' or ')}`;
      report(context, [variable, 'from'], { code: 'invalid_value', message });
    }
    if (resolve === true) {
      const message = 'only works with HTTP, whose responses have a URL';
      report(context, [variable, 'resolve'], { code: 'invalid_value', message });
    }
  }
});

/** Fields with a single number or switch, in the order in which forms show them. */
export const kindStepOptionFields = {
  timeoutMs: stepOptionFields.timeoutMs,
  retries: stepOptionFields.retries,
  degradedAboveMs: degradedAboveMsField,
  ...courseOptionFields,
};

/** Fields that a step of every kind has. Kinds without certificates leave out `tls`. */
const sharedFields = {
  name: nameField,
  extract: kindExtractField,
  ...kindStepOptionFields,
  until: untilField,
  tls: tlsField.optional(),
};

/** A step of any kind except HTTP. */
export interface KindStepBody extends Omit<z.output<z.ZodObject<typeof sharedFields>>, 'tls'> {
  readonly type: NetworkKind;
  readonly tls: z.output<typeof tlsField>;
  readonly kind: ReadKind;
}

/** Returns all fields of the kind. The return type contains only the shared fields. */
function buildFields(type: NetworkKind): typeof sharedFields;
function buildFields(type: NetworkKind): z.ZodRawShape {
  const { fields, hasCertificate } = KIND_SHAPES[type];
  const { tls: _tls, ...shared } = sharedFields;
  return { ...shared, ...allowFieldReferences(fields), ...(hasCertificate && { tls: tlsField }) };
}

function createStep(type: NetworkKind) {
  const title = `A step that is a check of the type ${type}; its texts may contain \`{{variables}}\``;
  const foreign = `is not a field of the type ${type}; it has ${listOwnFieldNames(type).join(', ')}`;
  const shape = z.strictObject(
    { type: z.literal(type).meta({ description: title }), ...buildFields(type) },
    { error: ({ code }) => (code === 'unrecognized_keys' ? foreign : undefined) },
  );
  return shape.transform((sent): KindStepBody => {
    const { name, extract, timeoutMs, retries, degradedAboveMs } = sent;
    const { always, waitSeconds, until, tls = { warnDays: [] } } = sent;
    const course = { always, waitSeconds, until };
    const common = { name, extract, timeoutMs, retries, degradedAboveMs, tls, ...course };
    return { type, ...common, kind: KIND_SHAPES[type].read(sent) };
  });
}

/** The schemas of the steps. They form a union that is discriminated by `type`. */
export const KIND_STEPS = NETWORK_KINDS.map(createStep);

/** The step schemas by their names in the API reference. */
export const NAMED_KIND_STEPS = Object.fromEntries(
  NETWORK_KINDS.map((type, index) => {
    const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}Step`;
    return [name, KIND_STEPS[index] ?? z.never()] as const;
  }),
);

/** Finds violations of rules that involve several fields of a step. The step has not been validated yet. */
export function findKindStepProblems(
  type: NetworkKind,
  step: Sent,
  path: readonly PropertyKey[],
): readonly ShapeProblem[] {
  return KIND_SHAPES[type]
    .findProblems(step)
    .map((problem) => ({ ...problem, path: `${formatPath(path)}.${problem.path}` }));
}
