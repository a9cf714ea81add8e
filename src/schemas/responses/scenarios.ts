/** Scenarios and their steps of every type as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { COOKIE_MODES } from '../../contracts/definition';
import { dnsResponseFields } from '../../kinds/dns/shape';
import { domainResponseFields } from '../../kinds/domain/shape';
import { grpcResponseFields } from '../../kinds/grpc/shape';
import { pingResponseFields } from '../../kinds/ping/shape';
import { tcpResponseFields } from '../../kinds/tcp/shape';
import { tlsResponseFields } from '../../kinds/tls/shape';
import { webSocketResponseFields } from '../../kinds/websocket/shape';
import { savedAuth } from '../auth/auth-field';
import { savedIpFamily, savedProxy } from '../proxy/proxy-field';
import { savedSharedTls } from '../tls/tls-field';
import { idOf, json, maybeInstant, pageOf, type ResponseOf } from './parts';
import { recent, requestFields, savedTls, serviceFields, sharedFields } from './resources';

const extraction = z
  .strictObject({
    from: z.enum(['jsonPath', 'header', 'cookie', 'finalUrl', 'status', 'body']),
    path: z.string().optional(),
    name: z.string().optional(),
    pattern: z.string().optional(),
    default: json.optional(),
    secret: z.boolean().optional(),
    resolve: z.boolean().optional(),
  })
  .meta({ id: 'SavedExtraction' });

/** Of a step of any type. */
const stepFields = {
  name: z.string(),
  extract: z.record(z.string(), extraction),
  always: z.boolean(),
  waitSeconds: z.int(),
  until: z.strictObject({ everySeconds: z.int(), forSeconds: z.int() }).nullable(),
};

const httpStep = z
  .strictObject({
    type: z.literal('http'),
    ...stepFields,
    ...requestFields,
    cookies: z.enum(COOKIE_MODES),
  })
  .meta({ id: 'SavedHttpStep' });

/** Of a step of every kind beside HTTP. */
const networkFields = {
  ...stepFields,
  timeoutMs: requestFields.timeoutMs,
  retries: requestFields.retries,
  degradedAboveMs: requestFields.degradedAboveMs,
};

const tcpStep = z
  .strictObject({
    type: z.literal('tcp'),
    ...networkFields,
    ...tcpResponseFields,
    tls: savedTls,
  })
  .meta({ id: 'SavedTcpStep' });

const tlsStep = z
  .strictObject({
    type: z.literal('tls'),
    ...networkFields,
    ...tlsResponseFields,
    tls: savedTls,
  })
  .meta({ id: 'SavedTlsStep' });

const dnsStep = z
  .strictObject({ type: z.literal('dns'), ...networkFields, ...dnsResponseFields })
  .meta({ id: 'SavedDnsStep' });

const pingStep = z
  .strictObject({ type: z.literal('ping'), ...networkFields, ...pingResponseFields })
  .meta({ id: 'SavedPingStep' });

const webSocketStep = z
  .strictObject({
    type: z.literal('websocket'),
    ...networkFields,
    ...webSocketResponseFields,
    tls: savedTls,
  })
  .meta({ id: 'SavedWebSocketStep' });

const grpcStep = z
  .strictObject({
    type: z.literal('grpc'),
    ...networkFields,
    ...grpcResponseFields,
    tls: savedTls,
  })
  .meta({ id: 'SavedGrpcStep' });

const domainStep = z
  .strictObject({ type: z.literal('domain'), ...networkFields, ...domainResponseFields })
  .meta({ id: 'SavedDomainStep' });

const step = z
  .discriminatedUnion('type', [
    httpStep,
    tcpStep,
    tlsStep,
    dnsStep,
    pingStep,
    webSocketStep,
    grpcStep,
    domainStep,
  ])
  .meta({ id: 'SavedStep', description: 'Its type says which fields it has' });

export const scenario = z
  .strictObject({
    id: idOf('scenario'),
    ...sharedFields,
    steps: z.array(step),
    auth: savedAuth,
    tls: savedSharedTls,
    proxy: savedProxy,
    ipFamily: savedIpFamily,
    timeoutSeconds: z.int(),
    onFailure: z.enum(['stop', 'continue']),
    cookies: z.boolean(),
    lastRunId: z.string().nullable(),
    tlsExpiresAt: maybeInstant.meta({ description: 'The earliest of all steps' }),
    tlsWarning: z.int().nullable().meta({
      description:
        "The smallest rung of the steps' tls.warnDays that is reached, in days; null: none",
    }),
    ...serviceFields,
  })
  .meta({ id: 'Scenario' });

export type ScenarioResponse = ResponseOf<typeof scenario>;
export type StepResponse = ScenarioResponse['steps'][number];
export type HttpStepResponse = Extract<StepResponse, { readonly type: 'http' }>;

export const scenarioPage = pageOf(scenario.extend({ recent }).meta({ id: 'ListedScenario' }));
