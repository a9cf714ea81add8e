/** The request bodies of monitors of all kinds except HTTP: their schemas, and the functions that read them. */
import { z } from 'zod';
import { NETWORK_KINDS, type NetworkKind } from '../contracts/kinds';
import { intervalSecondsField, tlsField } from '../schemas/fields';
import type { KindShape, ReadKind } from './fields';
import { readMonitorRules, sentFields } from './sent-fields';
import { KIND_SHAPES, SHARED_WITH_HTTP } from './shapes';

type Sent = z.output<z.ZodObject<typeof sentFields>> & {
  readonly tls: z.output<typeof tlsField>;
};

/** A monitor of any kind except HTTP. */
export interface NetworkBody extends Sent {
  readonly type: NetworkKind;
  readonly kind: ReadKind;
}

/**
 * Converts the validated fields of a monitor to the body of its kind. Sets the kind's minimum interval if the default
 * is shorter, and the warning days that apply to the kind.
 */
export function toNetworkBody(type: NetworkKind, sent: Sent): NetworkBody {
  const { name, alerts, dependsOn, hours, outside, runbookUrl, note, group, tags } = sent;
  const { key, enabled } = sent;
  const { regions, variables, environment, quorum, timeoutMs, retries, degradedAboveMs, tls } =
    sent;
  const { hasCertificate, interval, read } = KIND_SHAPES[type];
  const kind = read(sent);
  return {
    type,
    name,
    alerts,
    dependsOn,
    hours,
    outside,
    runbookUrl,
    note,
    group,
    tags,
    key,
    enabled,
    // Raises only the default interval. An interval that the client sent is never below the minimum.
    interval: Math.max(sent.interval, interval?.min ?? 0),
    regions,
    variables,
    environment,
    quorum,
    timeoutMs,
    retries,
    degradedAboveMs,
    ...readMonitorRules(sent),
    tls: { warnDays: [...(kind.warnDays ?? (hasCertificate ? tls.warnDays : []))] },
    kind,
  };
}

/** Creates the schema for the API reference only. `monitorBody` validates the bodies. */
function createBody(type: NetworkKind) {
  const { words, interval, fields, hasCertificate } = KIND_SHAPES[type];
  const own: z.ZodRawShape = {
    ...(interval && { interval: rareIntervalField(interval) }),
    ...fields,
    ...(hasCertificate && { tls: tlsField }),
  };
  const typeField = z.literal(type).meta({ description: words.about });
  return z.strictObject({ type: typeField, ...sentFields, ...own });
}

function rareIntervalField({ min, description }: NonNullable<KindShape['interval']>) {
  return intervalSecondsField.min(min).meta({ description }).default(min);
}

/** All bodies, in the order of the API reference. */
export const NETWORK_BODIES = NETWORK_KINDS.map(createBody);

/** Returns the name of the kind's body in the API reference. */
export function nameBody(type: NetworkKind): string {
  return `${KIND_SHAPES[type].schemaName}MonitorBody`;
}

/** The schemas by their names in the API reference. */
export const NAMED_NETWORK_BODIES = Object.fromEntries(
  NETWORK_KINDS.map((type, index) => [nameBody(type), NETWORK_BODIES[index] ?? z.never()] as const),
);

/** The fields of all kinds, all of them optional. Fields with the same name have the same schema. */
export const networkOptional: Readonly<Record<string, z.ZodType>> = collectOptional();

function collectOptional(): Record<string, z.ZodType> {
  const optional: Record<string, z.ZodType> = {};
  for (const type of NETWORK_KINDS)
    for (const [name, field] of Object.entries(KIND_SHAPES[type].fields))
      if (!SHARED_WITH_HTTP.includes(name)) optional[name] ??= z.optional(withoutDefault(field));
  return optional;
}

function withoutDefault(field: z.ZodType): z.core.$ZodType {
  return field instanceof z.ZodDefault ? field.unwrap() : field;
}
