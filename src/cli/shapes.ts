/** The fields of `/v1` responses that the command line reads. Unknown fields are kept for machine output. */
import { z } from 'zod';

export const failureShape = z.looseObject({ code: z.string(), message: z.string() });
const assertionShape = z.looseObject({ ok: z.boolean(), message: z.string().nullish() });

export const resourceShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  key: z.string().nullish(),
  state: z.string(),
  status: z.string(),
  health: z.string(),
  /** The interval. Absent for a heartbeat, because its job reports to Keepwatch. */
  interval: z.number().optional(),
  regions: z.array(z.string()).optional(),
  tags: z.array(z.string()),
  degradedAboveMs: z.number().nullish(),
  lastCheckedAt: z.string().nullish(),
  nextCheckAt: z.string().nullish(),
  lastPingAt: z.string().nullish(),
  nextDueAt: z.string().nullish(),
  currentIncidentId: z.string().nullish(),
  links: z.looseObject({ temporal: z.looseObject({ url: z.string().nullish() }).nullish() }),
});

/** An item of the list of all checks. */
export const checkShape = z.looseObject({
  type: z.enum(['monitor', 'scenario']),
  id: z.string(),
  name: z.string(),
  key: z.string().nullish(),
  status: z.string(),
  healthSince: z.string(),
  /** Empty for a heartbeat. */
  url: z.string().optional(),
  lastResponseTimeMs: z.number().nullish(),
  degradedAboveMs: z.number().nullish(),
  failure: z.looseObject({ message: z.string().nullish(), since: z.string() }).nullish(),
});

export const channelShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  failing: z.looseObject({ since: z.string(), count: z.number(), error: z.string() }).nullish(),
});

/** What a check sent and received, in a result and in a step of a run. */
const exchange = {
  request: z.looseObject({ method: z.string(), url: z.string() }).nullish(),
  response: z
    .looseObject({ status: z.number().nullable(), bodyPreview: z.string().nullish() })
    .nullish(),
};

export const resultShape = z.looseObject({
  id: z.string().nullish(),
  monitorId: z.string().nullish(),
  region: z.string(),
  status: z.string(),
  ok: z.boolean(),
  startedAt: z.string().nullish(),
  responseTimeMs: z.number().nullish(),
  ...exchange,
  assertions: z.array(assertionShape).nullish(),
  failure: failureShape.nullish(),
});

const stepShape = z.looseObject({
  name: z.string(),
  status: z.string(),
  responseTimeMs: z.number().nullish(),
  ...exchange,
  failure: failureShape.nullish(),
  assertions: z.array(assertionShape).nullish(),
  skippedReason: z.string().nullish(),
});

export const runShape = z.looseObject({
  id: z.string().nullish(),
  scenarioId: z.string().nullish(),
  region: z.string(),
  status: z.string(),
  startedAt: z.string().nullish(),
  durationMs: z.number().nullish(),
  steps: z.array(stepShape),
  failure: z.looseObject({ ...failureShape.shape, stepName: z.string().nullish() }).nullish(),
  links: z.looseObject({ temporal: z.looseObject({ url: z.string().nullish() }).nullish() }),
});

export const requestedRunsShape = z.looseObject({
  runs: z.array(z.looseObject({ id: z.string(), region: z.string(), status: z.string() })),
});

const changeShape = z.looseObject({ path: z.string(), before: z.unknown(), after: z.unknown() });

const appliedObjectShape = z.looseObject({
  kind: z.string(),
  index: z.number().nullish(),
  key: z.string().nullish(),
  id: z.string().nullish(),
  name: z.string().nullish(),
  action: z.enum(['create', 'update', 'delete', 'unchanged']),
  changes: z.array(changeShape),
  outcome: z.string(),
  problem: z
    .looseObject({
      code: z.string(),
      detail: z.string(),
      errors: z.array(z.looseObject({ path: z.string(), message: z.string() })),
    })
    .nullish(),
  signingSecret: z.string().optional(),
});

const count = z.number();

export const appliedSetShape = z.looseObject({
  dryRun: z.boolean(),
  summary: z.looseObject({
    create: count,
    update: count,
    delete: count,
    unchanged: count,
    failed: count,
    skipped: count,
  }),
  objects: z.array(appliedObjectShape),
  missingSecrets: z.array(z.string()),
});

export const profileShape = z.looseObject({
  key: z.string(),
  name: z.string(),
  set: z.record(z.string(), z.unknown()),
});

export const rolloutShape = z.looseObject({
  id: z.string(),
  state: z.string(),
  cause: z.looseObject({
    type: z.string(),
    key: z.string().optional(),
    rolloutId: z.string().optional(),
  }),
  change: z.looseObject({
    set: z.record(z.string(), z.unknown()).optional(),
    unset: z.array(z.string()).optional(),
  }),
  actor: z.looseObject({ name: z.string() }),
  progress: z.looseObject({
    total: count,
    pending: count,
    changed: count,
    unchanged: count,
    failed: count,
    skipped: count,
  }),
  waitsFor: z.string().nullish(),
  undoUntil: z.string().nullish(),
  undoneBy: z.string().nullish(),
  createdAt: z.string(),
});
export type Rollout = z.output<typeof rolloutShape>;

export const rolloutWithItemsShape = rolloutShape.extend({
  items: z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string(),
        reason: z.looseObject({ detail: z.string() }).nullish(),
      }),
    ),
  }),
});

export const windowShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  mode: z.string(),
  state: z.string().nullish(),
  startsAt: z.string().nullish(),
  durationMinutes: z.number().nullish(),
  nextOccurrences: z.array(z.looseObject({ startsAt: z.string(), endsAt: z.string() })).nullish(),
});

export const statusPageShape = z.looseObject({
  id: z.string(),
  key: z.string().nullish(),
  slug: z.string(),
  title: z.string(),
  groups: z.array(
    z.looseObject({ items: z.array(z.looseObject({ id: z.string(), name: z.string() })) }),
  ),
});

export const postShape = z.looseObject({
  id: z.string(),
  pageId: z.string(),
  type: z.string(),
  title: z.string(),
  affected: z.array(z.string()),
  state: z.string(),
  status: z.string(),
  updates: z.array(
    z.looseObject({
      state: z.string(),
      text: z.string(),
      at: z.string(),
      by: z.string().nullish(),
      isDraft: z.boolean(),
    }),
  ),
  postMortem: z.string().nullish(),
  publishAt: z.string().nullish(),
  publishedAt: z.string().nullish(),
  createdAt: z.string(),
});

export const subscriberShape = z.looseObject({
  id: z.string(),
  type: z.string(),
  to: z.string(),
  items: z.array(z.string()).nullish(),
  state: z.string(),
  createdAt: z.string(),
});

export const secretShape = z.looseObject({
  name: z.string(),
  version: z.number(),
  updatedAt: z.string(),
  usedBy: z.array(z.string()),
});

export const regionPageShape = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string(),
      workers: z.number(),
      lastSeenAt: z.string().nullable(),
    }),
  ),
});

export const probeKeyShape = z.looseObject({
  id: z.string(),
  region: z.string(),
  name: z.string(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export const rotatedRegionKeyShape = z.looseObject({ id: z.string(), rotations: z.number() });
export const newProbeKeyShape = probeKeyShape.extend({ key: z.string() });

export const accountShape = z.looseObject({ id: z.string(), name: z.string() });

export const pageShape = z.looseObject({
  data: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
});

export const alertChannelShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  isDefault: z.boolean(),
});

export const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string(),
  requestId: z.string().optional(),
  errors: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
});

export type Check = z.output<typeof checkShape>;
export type Resource = z.output<typeof resourceShape>;
export type Result = z.output<typeof resultShape>;
export type Run = z.output<typeof runShape>;
export type AppliedSet = z.output<typeof appliedSetShape>;
export type AppliedObject = z.output<typeof appliedObjectShape>;
export type StatusPage = z.output<typeof statusPageShape>;
export type Post = z.output<typeof postShape>;
export type Subscriber = z.output<typeof subscriberShape>;
