/** Responses with the outcomes of runs (docs/api.md). */
import { z } from 'zod';
import { RUN_STATUSES, RUN_TRIGGERS, STEP_STATUSES } from '../../contracts/records';
import { failure, measured, methodFact, noNumber, noText } from './checks';
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

const runFailure = z
  .strictObject({
    ...failure.shape,
    stepIndex: z
      .int()
      .nullable()
      .describe('Index of the failed step, from 0; null: no step failed'),
    stepName: z.string().nullable().describe('Name of the failed step; null: no step failed'),
  })
  .meta({ id: 'RunFailure' });

const cookieFacts = z
  .strictObject({
    name: z.string().describe('Name of the cookie'),
    domain: z.string().describe('Domain to which the cookie is sent'),
    path: z.string().describe('Path to which the cookie is sent'),
    expiresAt: maybeInstant.meta({ description: 'null: the cookie expires with the run' }),
  })
  .meta({ id: 'Cookie', description: 'A cookie without its value' });

const runStep = z
  .strictObject({
    index: z
      .int()
      .min(0)
      .meta({ description: 'Position of the step in the scenario, from 0', example: 0 }),
    name: z
      .string()
      .meta({ description: 'Name of the step when the run began', example: 'Sign in' }),
    method: methodFact.meta({ example: 'GET' }),
    status: z.enum(STEP_STATUSES).meta({
      description:
        'waiting: before its request or between two tries; skipped: not executed; error: a fault of Keepwatch',
      example: 'passed',
    }),
    ...measured,
    tries: z.int().min(0).meta({
      description: 'Number of all tries so far. `attempts` contains only the last ones',
      example: 1,
    }),
    waitingUntil: maybeInstant.describe(
      'When the current wait ends; null while the step does not wait',
    ),
    extracted: z
      .array(
        z.strictObject({
          name: z.string().describe('Name of the variable'),
          value: json.describe('Extracted value; secrets are masked'),
          secret: z.boolean().optional().describe('true: the value is secret; otherwise absent'),
        }),
      )
      .meta({ description: 'Values that the step extracted', example: [] }),
    skippedReason: z.string().nullable().describe('Why the step was skipped; null: it was not'),
    cookies: z.array(cookieFacts).meta({ description: 'Cookies that the step set', example: [] }),
    notes: z
      .array(z.string())
      .meta({ description: 'Cookies that were refused or dropped', example: [] }),
  })
  .meta({ id: 'RunStep' });

const runSource = z
  .strictObject({
    provider: z.string().nullable().describe('CI service or program that requested the run'),
    repository: z.string().nullable().describe('Repository of the change'),
    branch: z.string().nullable().describe('Branch of the change'),
    commit: z.string().nullable().describe('Commit of the change'),
    url: z.string().nullable().describe('URL of the pipeline or page that requested the run'),
    actor: z.string().nullable().describe('Person or program that requested the run'),
  })
  .meta({ id: 'RunSource' });

const runLinks = z.strictObject({
  self: z.string().meta({
    description: 'Path of the run',
    example: '/v1/scenarios/scn_01arz3ndektsv4rrffq69g5fav/results/run_01arz3ndektsv4rrffq69g5fav',
  }),
  temporal: temporalLink.describe('The workflow that makes the run'),
});

const runFields = {
  environment: z.string().nullable().meta({
    description:
      'Key of the environment that the request named; null: the run used the scenario as it is saved',
  }),
  trigger: z.enum(RUN_TRIGGERS).meta({
    description:
      'Why the run was made. save: it followed a change of the scenario; api: an API key requested it',
    example: 'schedule',
  }),
  label: z.string().nullable().describe('Label that the request for the run gave; null: none'),
  source: runSource.nullable().describe('Origin that the request for the run gave; null: none'),
  region: z.string().meta({ description: 'Region that makes the run', example: 'eu-west' }),
  status: z.enum(RUN_STATUSES).meta({
    description:
      'waiting: between two steps or tries; failed: a fault of the target; timed_out: it exceeded `timeoutSeconds`; error: a fault of Keepwatch, which never counts as downtime',
    example: 'passed',
  }),
  slot: instant.describe(
    'Time at which the run was due; for a requested run, the time of the request',
  ),
  queuedAt: instant.describe('When the run was queued'),
  startedAt: maybeInstant.meta({
    description: 'When the run began; null: not yet',
    example: '2026-01-31T12:00:00.000Z',
  }),
  finishedAt: maybeInstant.meta({
    description: 'When the run ended; null: not yet',
    example: '2026-01-31T12:00:02.400Z',
  }),
  durationMs: maybeMs.meta({
    description: 'Milliseconds from begin to end, waits included; null: it has not ended',
    example: 2400,
  }),
  steps: z.array(runStep).describe('Steps in the order of the scenario'),
  failure: runFailure.nullable().describe('Why the run failed; null: it passed, or has not ended'),
  countedInUptime: z
    .boolean()
    .meta({ description: 'Whether the run counts in health, uptime and incidents', example: true }),
  links: runLinks.describe('Paths and URLs of the run'),
};

export const run = z
  .strictObject({
    id: idSchema('run'),
    scenarioId: idSchema('scenario'),
    revision: z.int().meta({
      description: 'Version of the scenario in which its steps were last changed',
      example: 1,
    }),
    ...runFields,
  })
  .meta({ id: 'Run' });

export type RunResponse = ResponseOf<typeof run>;

/** The response to a request for runs: the first run, and all runs in short form. */
export const requestedRuns = z
  .strictObject({
    ...run.shape,
    runs: z
      .array(run.pick({ id: true, region: true, status: true, links: true }))
      .describe('All requested runs, one per region'),
  })
  .meta({ id: 'RequestedRuns' });

export type RequestedRuns = ResponseOf<typeof requestedRuns>;

/** The response to a test of an unsaved scenario: a run that is not stored. */
export const testRun = z
  .strictObject({
    id: noText,
    scenarioId: noText,
    revision: noNumber,
    kind: z.literal('test').describe('Always `test`'),
    ...runFields,
    links: z
      .strictObject({
        self: noText,
        temporal: temporalLink.describe('The workflow that makes the run'),
      })
      .describe('Paths and URLs of the run'),
  })
  .meta({ id: 'TestRun' });

export type TestRunResponse = ResponseOf<typeof testRun>;

export const runPage = pageSchema(run);
