/** The fields of a heartbeat monitor (docs/heartbeats.md): when its job must report, and what counts as a failure. */
import { z } from 'zod';
import type { HeartbeatPlan, HeartbeatSchedule } from '../contracts/heartbeat';
import { patternShape } from './assertion';
import { findCronProblem, isTimeZone } from './cron-times';
import { report, type ShapeProblem } from './issues';
import { readNumber } from './loose';

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;
const EVERY_SECONDS_MIN = 30;
const FAIL_ON_MAX = 20;

const cronField = z
  .string()
  .max(200)
  .superRefine((cron, context) => {
    const problem = findCronProblem(cron, Date.now());
    if (problem !== null) report(context, [], { code: 'invalid_value', message: problem });
  });

const timeZoneField = z
  .string()
  .max(64)
  .refine(isTimeZone, 'is not a time zone like Europe/Berlin');

const scheduleField = z
  .strictObject({
    everySeconds: z
      .int()
      .min(EVERY_SECONDS_MIN)
      .max(YEAR_SECONDS)
      .meta({ description: 'A ping is due this many seconds after the last one' })
      .optional(),
    cron: cronField
      .meta({ description: 'Minute, hour, day of month, month, day of week' })
      .optional(),
    timeZone: timeZoneField
      .meta({ description: 'Time zone of `cron`, like Europe/Berlin. Default: UTC' })
      .optional(),
  })
  .superRefine(({ everySeconds, cron, timeZone }, context) => {
    if ((everySeconds === undefined) === (cron === undefined)) {
      const message = 'must have either everySeconds, or cron and timeZone';
      report(context, [], { code: 'invalid_value', message });
    }
    if (everySeconds !== undefined && timeZone !== undefined)
      report(context, ['timeZone'], {
        code: 'invalid_value',
        message: 'is only allowed with cron',
      });
  })
  .transform(({ everySeconds, cron, timeZone }): HeartbeatSchedule => {
    if (cron === undefined) return { everySeconds: everySeconds ?? EVERY_SECONDS_MIN };
    return { cron: cron.trim().split(/\s+/).join(' '), timeZone: timeZone ?? 'UTC' };
  });

const failOnField = z
  .array(
    z.union([
      z.strictObject({
        contains: z.string().min(1).max(500).meta({ description: 'Text in the output of the job' }),
      }),
      z.strictObject({
        matches: patternShape.meta({
          description: 'Regular expression (RE2) that the output matches',
        }),
      }),
    ]),
  )
  .max(FAIL_ON_MAX)
  .meta({
    description:
      'A run fails if its output matches one of these rules, even if the job reports success',
  });

const GRACE_SECONDS = 300;
const EARLY_SECONDS = 60;

const runSecondsField = z.int().min(1).max(YEAR_SECONDS).nullable();

/** Fields with one number each and a default, in the order in which forms show them. */
export const heartbeatOptionFields = {
  graceSeconds: z
    .int()
    .min(0)
    .max(YEAR_SECONDS)
    .meta({ description: 'How many seconds late a ping may be before the monitor is down' })
    .default(GRACE_SECONDS),
  earlySeconds: z
    .int()
    .min(0)
    .max(DAY_SECONDS)
    .meta({
      description:
        'For cron schedules: how many seconds early a ping may be and still count for the next due time',
    })
    .default(EARLY_SECONDS),
  maxRunSeconds: runSecondsField
    .meta({ description: 'A run that takes longer than this many seconds fails immediately' })
    .default(null),
  minRunSeconds: runSecondsField
    .meta({ description: 'A run that ends sooner than this many seconds fails' })
    .default(null),
};

const { graceSeconds, earlySeconds, maxRunSeconds, minRunSeconds } = heartbeatOptionFields;

/** Makes the field optional instead. Its description still contains the default. */
function optional<Shape extends z.ZodType>(field: z.ZodDefault<Shape>) {
  const shape = field.unwrap();
  const words = `Default: ${JSON.stringify(field.def.defaultValue)}`;
  return shape.optional().describe(`${shape.description}. ${words}`);
}

/** The fields. All are optional here, because findTypeProblems checks which of them a type needs. */
export const heartbeatFields = {
  schedule: scheduleField
    .meta({ description: 'For heartbeats: when the job must report' })
    .optional(),
  graceSeconds: optional(graceSeconds),
  earlySeconds: optional(earlySeconds),
  maxRunSeconds: optional(maxRunSeconds),
  minRunSeconds: optional(minRunSeconds),
  failOn: failOnField.optional(),
};

type HeartbeatName = keyof typeof heartbeatFields;

export const HEARTBEAT_NAMES: readonly string[] = Object.keys(heartbeatFields);

type Sent = Readonly<Record<string, unknown>>;

/** Finds violations of rules that involve several fields of a heartbeat. */
export function findHeartbeatProblems(monitor: Sent): readonly ShapeProblem[] {
  const minimum = readNumber(monitor['minRunSeconds'], 0);
  const maximum = readNumber(monitor['maxRunSeconds'], YEAR_SECONDS);
  if (minimum === null || maximum === null || minimum <= maximum) return [];
  const message = 'must not exceed maxRunSeconds';
  return [{ path: 'minRunSeconds', code: 'out_of_bounds', message }];
}

type GivenHeartbeat = { readonly [Name in HeartbeatName]?: unknown } & {
  readonly schedule?: HeartbeatSchedule | undefined;
  readonly graceSeconds?: number | undefined;
  readonly earlySeconds?: number | undefined;
  readonly maxRunSeconds?: number | null | undefined;
  readonly minRunSeconds?: number | null | undefined;
  readonly failOn?: HeartbeatPlan['failOn'] | undefined;
};

/** Builds the plan, with every default filled in. */
export function buildPlan(given: GivenHeartbeat): HeartbeatPlan {
  return {
    schedule: given.schedule ?? { everySeconds: EVERY_SECONDS_MIN },
    graceSeconds: given.graceSeconds ?? GRACE_SECONDS,
    earlySeconds: given.earlySeconds ?? EARLY_SECONDS,
    maxRunSeconds: given.maxRunSeconds ?? null,
    minRunSeconds: given.minRunSeconds ?? null,
    failOn: given.failOn ?? [],
  };
}
