/** Responses with the outcomes of checks and runs (docs/api.md). */
import { z } from 'zod';
import { ASSERTION_OPERATORS } from '../../contracts/definition';
import { CHECK_STATUSES, FAILURE_CODES, mapPhases, PHASES } from '../../contracts/outcome';
import { RUN_STATUSES, RUN_TRIGGERS, STEP_STATUSES } from '../../contracts/records';
import {
  idSchema,
  instant,
  json,
  maybeInstant,
  maybeMs,
  pageSchema,
  type ResponseOf,
} from './parts';
import { temporalLink } from './resources';
import { tlsFacts } from './tls-facts';

const failure = z
  .strictObject({
    code: z.enum(FAILURE_CODES),
    message: z.string(),
    phase: z.enum(PHASES).nullable(),
  })
  .meta({ id: 'Failure' });

const timings = z
  .strictObject({
    ...mapPhases(() => maybeMs),
    totalMs: z.number().min(0),
  })
  .meta({ id: 'Timings' });

/** One entry per header line. Repeated headers are not merged. */
const headerLines = z
  .array(z.strictObject({ name: z.string(), value: z.string() }))
  .nullable()
  .meta({
    description:
      'Stored for failures, for the last passing result of each region, and for the last one before a failure; otherwise null. At most 8 KiB, cut at `…`. Secrets and values of sensitive names are masked',
  });

const methodFact = z
  .string()
  .meta({ description: 'HTTP method; for other types of checks, the type in capitals, like TCP' });

const requestFacts = z
  .strictObject({ method: methodFact, url: z.string(), headers: headerLines })
  .meta({ id: 'SentRequest', description: 'The request as it was sent, with secrets masked' });

const responseFacts = z
  .strictObject({
    status: z.int().nullable().meta({ description: 'null for types other than http' }),
    httpVersion: z.string().nullable(),
    bytes: z.int().min(0),
    remoteIp: z.string().nullable(),
    finalUrl: z.string(),
    redirects: z.int().min(0),
    bodyPreview: z.string().nullable(),
    truncated: z.boolean(),
    headers: headerLines,
  })
  .meta({
    id: 'Response',
    description:
      '`bodyPreview` is stored for failures, for the last passing result of each region, and for the last one before a failure. It has at most 4 KiB, in a test 16 KiB',
  });

const assertionOutcome = z
  .strictObject({
    type: z.enum([
      'status',
      'responseTime',
      'timing',
      'redirect',
      'body',
      'bodySize',
      'header',
      'tls',
      'jsonPath',
      'jsonSchema',
    ]),
    operator: z.enum(ASSERTION_OPERATORS),
    target: z.string().nullable(),
    severity: z.enum(['fail', 'degraded']),
    ok: z.boolean(),
    actual: json,
    expected: json,
    message: z.string(),
  })
  .meta({ id: 'AssertionOutcome' });

const attempt = z
  .strictObject({
    startedAt: instant,
    responseTimeMs: z.number().min(0),
    status: z.int().nullable(),
    failure: failure.nullable(),
  })
  .meta({ id: 'Attempt' });

const gap = z
  .strictObject({
    reason: z.enum(['missed', 'overrun', 'worker_lost']),
    from: instant,
    to: instant,
    slots: z.int().min(1),
  })
  .meta({ id: 'Gap', description: 'Slots that were not checked. They never count as down' });

/** The measurements of one request, in a result and in a step of a run. */
const measured = {
  startedAt: maybeInstant,
  finishedAt: maybeInstant,
  responseTimeMs: maybeMs,
  timings: timings.nullable(),
  request: requestFacts.nullable(),
  response: responseFacts.nullable(),
  tls: tlsFacts.nullable(),
  assertions: z.array(assertionOutcome),
  failure: failure.nullable(),
  attempts: z.array(attempt),
};

const job = z.strictObject({ exitCode: z.int().nullable(), text: z.string().nullable() }).meta({
  id: 'JobReport',
  description:
    'The report of the job of a heartbeat. `text` is stored only for failures, at most 10 KiB',
});

const resultFields = {
  slot: instant,
  region: z.string(),
  status: z.enum(CHECK_STATUSES),
  ok: z.boolean(),
  inMaintenance: z.boolean(),
  ...measured,
  job: job.nullable(),
  gap: gap.nullable(),
  requestIds: z.array(z.string()).meta({
    description:
      'Ids of the requests to check now that this check fulfilled, as in their 202 responses',
  }),
};

export const result = z
  .strictObject({
    id: z.string(),
    monitorId: idSchema('monitor'),
    revision: z.int(),
    kind: z.enum(['scheduled', 'manual']),
    trigger: z.enum(['save', 'schedule', 'manual']),
    ...resultFields,
  })
  .meta({ id: 'Result' });

export type ResultResponse = ResponseOf<typeof result>;

export const resultPage = pageSchema(result);

/**
 * The description of fields that are always null. Their schemas also allow other values, because a schema of only null
 * would break some client generators (openapi-generator).
 */
const NOTHING = { description: 'Always null, because tests are not stored' };
const noText = z.string().nullable().meta(NOTHING);
const noNumber = z.int().nullable().meta(NOTHING);

/** The response to a test of an unsaved monitor: a result that is not stored. */
export const testResult = z
  .strictObject({
    id: noText,
    monitorId: noText,
    revision: noNumber,
    kind: z.literal('test'),
    trigger: z.literal('test'),
    ...resultFields,
  })
  .meta({ id: 'TestResult' });

export type TestResultResponse = ResponseOf<typeof testResult>;

export const manualCheck = z
  .strictObject({
    id: z.string(),
    monitorId: idSchema('monitor'),
    status: z.literal('queued'),
    requestedAt: instant,
  })
  .meta({ id: 'RequestedCheck' });

export type RequestedCheck = ResponseOf<typeof manualCheck>;

const runFailure = z
  .strictObject({
    ...failure.shape,
    stepIndex: z.int().nullable(),
    stepName: z.string().nullable(),
  })
  .meta({ id: 'RunFailure' });

const cookieFacts = z
  .strictObject({
    name: z.string(),
    domain: z.string(),
    path: z.string(),
    expiresAt: maybeInstant.meta({ description: 'null: the cookie expires with the run' }),
  })
  .meta({ id: 'Cookie', description: 'A cookie without its value' });

const runStep = z
  .strictObject({
    index: z.int().min(0),
    name: z.string(),
    method: methodFact,
    status: z.enum(STEP_STATUSES),
    ...measured,
    /** The number of all tries. `attempts` contains only the most recent ones. */
    tries: z.int().min(0),
    /** When the current wait ends. null while the step does not wait. */
    waitingUntil: maybeInstant,
    extracted: z.array(
      z.strictObject({ name: z.string(), value: json, secret: z.boolean().optional() }),
    ),
    skippedReason: z.string().nullable(),
    cookies: z.array(cookieFacts).meta({ description: 'Cookies that the step set' }),
    notes: z.array(z.string()).meta({ description: 'Cookies that were refused or dropped' }),
  })
  .meta({ id: 'RunStep' });

const runSource = z
  .strictObject({
    provider: z.string().nullable(),
    repository: z.string().nullable(),
    branch: z.string().nullable(),
    commit: z.string().nullable(),
    url: z.string().nullable(),
    actor: z.string().nullable(),
  })
  .meta({ id: 'RunSource' });

const runLinks = z.strictObject({ self: z.string(), temporal: temporalLink });

const runFields = {
  environment: z.string().nullable().meta({
    description:
      'Key of the environment that the request named; null: the run used the scenario as it is saved',
  }),
  trigger: z.enum(RUN_TRIGGERS),
  label: z.string().nullable(),
  source: runSource.nullable(),
  region: z.string(),
  status: z.enum(RUN_STATUSES),
  slot: instant,
  queuedAt: instant,
  startedAt: maybeInstant,
  finishedAt: maybeInstant,
  durationMs: maybeMs,
  steps: z.array(runStep),
  failure: runFailure.nullable(),
  countedInUptime: z.boolean(),
  links: runLinks,
};

export const run = z
  .strictObject({
    id: idSchema('run'),
    scenarioId: idSchema('scenario'),
    revision: z.int(),
    ...runFields,
  })
  .meta({ id: 'Run' });

export type RunResponse = ResponseOf<typeof run>;

/** The response to a request for runs: the first run, and all runs in short form. */
export const requestedRuns = z
  .strictObject({
    ...run.shape,
    runs: z.array(run.pick({ id: true, region: true, status: true, links: true })),
  })
  .meta({ id: 'RequestedRuns' });

export type RequestedRuns = ResponseOf<typeof requestedRuns>;

/** The response to a test of an unsaved scenario: a run that is not stored. */
export const testRun = z
  .strictObject({
    id: noText,
    scenarioId: noText,
    revision: noNumber,
    kind: z.literal('test'),
    ...runFields,
    links: z.strictObject({ self: noText, temporal: temporalLink }),
  })
  .meta({ id: 'TestRun' });

export type TestRunResponse = ResponseOf<typeof testRun>;

export const runPage = pageSchema(run);
