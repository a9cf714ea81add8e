/** Responses with the outcomes of checks (docs/api.md). */
import { z } from 'zod';
import { ASSERTION_OPERATORS } from '../../contracts/definition';
import { CHECK_STATUSES, FAILURE_CODES, mapPhases, PHASES } from '../../contracts/outcome';
import {
  idSchema,
  instant,
  json,
  maybeInstant,
  maybeMs,
  pageSchema,
  type ResponseOf,
} from './parts';
import { tlsFacts } from './tls-facts';

export const failure = z
  .strictObject({
    code: z.enum(FAILURE_CODES).describe('Why the check failed; programs should use this code'),
    message: z.string().describe('One sentence for people, without secrets'),
    phase: z.enum(PHASES).nullable().describe('Phase in which the request failed; null: none'),
  })
  .meta({ id: 'Failure' });

const timings = z
  .strictObject({
    ...mapPhases((field) =>
      maybeMs.describe(
        `Milliseconds of the phase \`${field.replace(/Ms$/, '')}\`; null: it did not happen`,
      ),
    ),
    totalMs: z.number().min(0).meta({
      description: 'Milliseconds of the last attempt, redirects and body included',
      example: 84.2,
    }),
  })
  .meta({ id: 'Timings' });

/** One entry per header line. Repeated headers are not merged. */
const headerLines = z
  .array(
    z.strictObject({
      name: z.string().describe('Name as it was sent'),
      value: z.string().describe('Value; masked if it is sensitive'),
    }),
  )
  .nullable()
  .meta({
    description:
      'Stored for failures, for the last passing result of each region, and for the last one before a failure; otherwise null. At most 8 KiB, cut at `…`. Secrets and values of sensitive names are masked',
  });

export const methodFact = z
  .string()
  .meta({ description: 'HTTP method; for other types of checks, the type in capitals, like TCP' });

const requestFacts = z
  .strictObject({
    method: methodFact.meta({ example: 'GET' }),
    url: z.string().meta({
      description: 'URL of the request after filling in variables',
      example: 'https://shop.example.com/',
    }),
    headers: headerLines,
  })
  .meta({ id: 'SentRequest', description: 'The request as it was sent, with secrets masked' });

const responseFacts = z
  .strictObject({
    status: z
      .int()
      .nullable()
      .meta({ description: 'null for types other than http', example: 200 }),
    httpVersion: z.string().nullable().meta({
      description: 'Version like `1.1` or `2`; null for types other than http',
      example: '1.1',
    }),
    bytes: z.int().min(0).meta({ description: 'Size of the body in bytes', example: 5120 }),
    remoteIp: z
      .string()
      .nullable()
      .describe('IP address that responded; null: not known or not shown'),
    finalUrl: z.string().meta({
      description: 'URL of the last response, after redirects',
      example: 'https://shop.example.com/',
    }),
    redirects: z
      .int()
      .min(0)
      .meta({ description: 'Number of redirects that were followed', example: 0 }),
    bodyPreview: z
      .string()
      .nullable()
      .describe('Beginning of the body with secrets masked; null: not stored'),
    truncated: z.boolean().describe('true: the preview is not the whole body'),
    headers: headerLines,
  })
  .meta({
    id: 'Response',
    description:
      '`bodyPreview` is stored for failures, for the last passing result of each region, and for the last one before a failure. It has at most 4 KiB, in a test 16 KiB',
  });

const assertionOutcome = z
  .strictObject({
    type: z
      .enum([
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
      ])
      .describe('Type of the assertion'),
    operator: z.enum(ASSERTION_OPERATORS).describe('Operator of the assertion'),
    target: z
      .string()
      .nullable()
      .describe('Path or name that the assertion checks; null: the type needs none'),
    severity: z
      .enum(['fail', 'degraded'])
      .describe('What a failed assertion means: the check fails, or it is degraded'),
    ok: z.boolean().meta({ description: 'Whether the assertion passed', example: true }),
    actual: json.meta({
      description: 'Value that was found; long values are cut, and secrets are masked',
      example: 200,
    }),
    expected: json.meta({ description: 'Value that the definition expects', example: '2xx' }),
    message: z.string().meta({
      description: 'Comparison as a sentence for people',
      example: 'Expected status 2xx: passed.',
    }),
  })
  .meta({ id: 'AssertionOutcome' });

const attempt = z
  .strictObject({
    startedAt: instant.describe('When the attempt began'),
    responseTimeMs: z.number().min(0).describe('How long the attempt took, in milliseconds'),
    status: z.int().nullable().describe('HTTP status of the response; null: none'),
    failure: failure.nullable().describe('Why the attempt failed; null: it passed'),
  })
  .meta({ id: 'Attempt' });

const gap = z
  .strictObject({
    reason: z
      .enum(['missed', 'overrun', 'worker_lost'])
      .describe(
        'missed: the service was down; overrun: the previous check took longer than the interval; worker_lost: the probe of the previous check was lost',
      ),
    from: instant.describe('First slot of the gap'),
    to: instant.describe('Last slot of the gap, inclusive'),
    slots: z.int().min(1).describe('Number of slots in the gap'),
  })
  .meta({ id: 'Gap', description: 'Slots that were not checked. They never count as down' });

/** The measurements of one request, in a result and in a step of a run. */
export const measured = {
  startedAt: maybeInstant.meta({
    description: 'When it began; null: not yet, or never',
    example: '2026-01-31T12:00:00.000Z',
  }),
  finishedAt: maybeInstant.meta({
    description: 'When it ended; null: not yet, or never',
    example: '2026-01-31T12:00:00.084Z',
  }),
  responseTimeMs: maybeMs.meta({
    description:
      'Milliseconds of the last attempt, redirects and body included; for a heartbeat, of the run of the job; null: nothing was measured',
    example: 84.2,
  }),
  timings: timings.nullable().describe('Phases of the last attempt; null: nothing was sent'),
  request: requestFacts.nullable().describe('The request as it was sent; null: nothing was sent'),
  response: responseFacts.nullable().describe('The last response; null: none arrived'),
  tls: tlsFacts.nullable().describe('Certificate and TLS version; null without TLS'),
  assertions: z.array(assertionOutcome).describe('Outcome of each assertion'),
  failure: failure.nullable().describe('Why it failed; null: it passed'),
  attempts: z.array(attempt).meta({
    description:
      'The attempts, oldest first; more than one if it was retried. A step keeps the last 20',
    example: [],
  }),
};

const job = z
  .strictObject({
    exitCode: z.int().nullable().describe('Exit code of the job; null: it reported none'),
    text: z.string().nullable().describe('End of the output of the job; null: not stored'),
  })
  .meta({
    id: 'JobReport',
    description:
      'The report of the job of a heartbeat. `text` is stored only for failures, at most 10 KiB',
  });

const resultFields = {
  slot: instant.describe('Time at which the check was due. Each region has one result per slot'),
  region: z.string().meta({ description: 'Region that checked it', example: 'eu-west' }),
  status: z.enum(CHECK_STATUSES).meta({
    description:
      'up: passed; degraded: passed, but slow or with a failed assertion of severity `degraded`; down: a fault of the target; unknown: a fault of Keepwatch',
    example: 'up',
  }),
  ok: z.boolean().meta({ description: 'true for `up` and `degraded`', example: true }),
  inMaintenance: z.boolean().describe('Whether a maintenance window was in progress'),
  ...measured,
  job: job.nullable().describe('Report of the job; null for types other than heartbeat'),
  gap: gap
    .nullable()
    .describe(
      'Slots that were not checked, for which this result stands; null: the check was made',
    ),
  requestIds: z.array(z.string()).meta({
    description:
      'Ids of the requests to check now that this check fulfilled, as in their 202 responses',
    example: [],
  }),
};

export const result = z
  .strictObject({
    id: z.string().meta({
      description: 'Id of the result',
      example: 'mon_01arz3ndektsv4rrffq69g5fav:eu-west:0ml29f9c0',
    }),
    monitorId: idSchema('monitor'),
    revision: z.int().meta({
      description: 'Number of the version that introduced the checked definition',
      example: 1,
    }),
    kind: z
      .enum(['scheduled', 'manual'])
      .describe('Whether the check was due by the schedule or requested'),
    trigger: z.enum(['save', 'schedule', 'manual']).meta({
      description: 'Why the check was made. save: it followed a change of the definition',
      example: 'schedule',
    }),
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
export const noText = z.string().nullable().meta(NOTHING);
export const noNumber = z.int().nullable().meta(NOTHING);

/** The response to a test of an unsaved monitor: a result that is not stored. */
export const testResult = z
  .strictObject({
    id: noText,
    monitorId: noText,
    revision: noNumber,
    kind: z.literal('test').describe('Always `test`'),
    trigger: z.literal('test').describe('Always `test`'),
    ...resultFields,
  })
  .meta({ id: 'TestResult' });

export type TestResultResponse = ResponseOf<typeof testResult>;

export const manualCheck = z
  .strictObject({
    id: z.string().meta({
      description: 'Id of the request. The result of the check lists it in `requestIds`',
      example: 'req_01arz3ndektsv4rrffq69g5fav',
    }),
    monitorId: idSchema('monitor'),
    status: z.literal('queued').describe('Always `queued`'),
    requestedAt: instant.describe('When the check was requested'),
  })
  .meta({ id: 'RequestedCheck' });

export type RequestedCheck = ResponseOf<typeof manualCheck>;
