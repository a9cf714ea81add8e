/**
 * Tests what a workflow accepts from an activity of a probe, in every way in which the server can deliver it. Only
 * payloads that are encrypted for this region and this activity are accepted. Everything else is read as null and never
 * stops the workflow.
 */
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { coresdk } from '@temporalio/proto';
import { WorkflowCodecRunner } from '@temporalio/worker/lib/workflow-codec-runner';
import { createRegionKeyrings } from '../../src/platform/region-keyrings';
import { deriveRegionKeys } from '../../src/platform/sealing';
import { createPayloadCodec, createRegionCodec } from '../../src/temporal/payload-codec';

const KEY = '1'.repeat(64);
const NAMESPACE = 'default';
const ACTIVITY = 'eu-west:abcdef01';
const OTHER = 'eu-west:abcdef02';

const { WorkflowActivation } = coresdk.workflow_activation;
const { WorkflowActivationCompletion } = coresdk.workflow_completion;

const probeOf = (region: string, key = KEY) =>
  createRegionCodec(
    { region, keys: () => deriveRegionKeys([key], region), renew: async () => undefined },
    NAMESPACE,
  );
const rings = createRegionKeyrings({
  secretKeys: [KEY],
  readRotations: async () => new Map(),
  steadyNow: () => 0,
});
const orchestrator = createPayloadCodec([KEY], NAMESPACE, rings);

const plain = defaultPayloadConverter.toPayload({ forged: true });
const inActivity = (activityId: string) =>
  ({ type: 'activity', namespace: NAMESPACE, activityId, isLocal: false }) as const;

async function sealedBy(codec: typeof orchestrator, activityId?: string): Promise<Payload> {
  const context = activityId === undefined ? undefined : inActivity(activityId);
  const [payload] = await codec.encode([plain], context);
  if (payload === undefined) throw new Error('nothing was sealed');
  return payload;
}

function changed(payload: Payload): Payload {
  const data = Buffer.from(payload.data ?? []);
  data.writeUInt8(data.readUInt8(data.length - 1) ^ 1, data.length - 1);
  return { ...payload, data };
}

const renamed = (payload: Payload, name: string, value: string | null): Payload => {
  const { [name]: _, ...metadata } = payload.metadata ?? {};
  return {
    ...payload,
    metadata: { ...metadata, ...(value !== null && { [name]: Buffer.from(value) }) },
  };
};

const FORGED: Readonly<Record<string, () => Promise<Payload>>> = {
  'plain JSON': async () => plain,
  'the ciphertext of another region': () => sealedBy(probeOf('us-east'), 'us-east:abcdef01'),
  "the ciphertext of another region under this region's name": async () =>
    renamed(await sealedBy(probeOf('us-east'), ACTIVITY), 'encryption-key-id', 'eu-west:00000000'),
  'the ciphertext of the orchestrator': () => sealedBy(orchestrator),
  'the ciphertext of another activity': () => sealedBy(probeOf('eu-west'), OTHER),
  "the ciphertext of another activity under this activity's name": async () =>
    renamed(await sealedBy(probeOf('eu-west'), OTHER), 'encryption-activity', ACTIVITY),
  'the ciphertext of another activity without a name': async () =>
    renamed(await sealedBy(probeOf('eu-west'), OTHER), 'encryption-activity', null),
  'the ciphertext of another installation': () =>
    sealedBy(probeOf('eu-west', '2'.repeat(64)), ACTIVITY),
  'an altered payload': async () => changed(await sealedBy(probeOf('eu-west'), ACTIVITY)),
  'an empty payload': async () => ({
    ...(await sealedBy(probeOf('eu-west'), ACTIVITY)),
    data: new Uint8Array(),
  }),
};

type Message = coresdk.workflow_activation.IWorkflowActivationJob['resolveActivity'];
interface Way {
  readonly put: (payload: Payload) => Message;
  readonly take: (message: Message) => Payload | null | undefined;
}

const list = (payload: Payload) => ({ payloads: [payload] });
const WAYS: Readonly<Record<string, Way>> = {
  'a result': {
    put: (payload) => ({ seq: 1, result: { completed: { result: payload } } }),
    take: (message) => message?.result?.completed?.result,
  },
  'the attributes of a failure': {
    put: (payload) => ({ seq: 1, result: { failed: { failure: { encodedAttributes: payload } } } }),
    take: (message) => message?.result?.failed?.failure?.encodedAttributes,
  },
  'the details of a failure': {
    put: (payload) => ({
      seq: 1,
      result: { failed: { failure: { applicationFailureInfo: { details: list(payload) } } } },
    }),
    take: (message) =>
      message?.result?.failed?.failure?.applicationFailureInfo?.details?.payloads?.[0],
  },
  'the details of the cause of a failure': {
    put: (payload) => ({
      seq: 1,
      result: {
        failed: { failure: { cause: { applicationFailureInfo: { details: list(payload) } } } },
      },
    }),
    take: (message) =>
      message?.result?.failed?.failure?.cause?.applicationFailureInfo?.details?.payloads?.[0],
  },
  'the last heartbeat of an activity that timed out': {
    put: (payload) => ({
      seq: 1,
      result: {
        failed: { failure: { timeoutFailureInfo: { lastHeartbeatDetails: list(payload) } } },
      },
    }),
    take: (message) =>
      message?.result?.failed?.failure?.timeoutFailureInfo?.lastHeartbeatDetails?.payloads?.[0],
  },
  'the details of a cancellation': {
    put: (payload) => ({
      seq: 1,
      result: { cancelled: { failure: { canceledFailureInfo: { details: list(payload) } } } },
    }),
    take: (message) =>
      message?.result?.cancelled?.failure?.canceledFailureInfo?.details?.payloads?.[0],
  },
};

/** Reads the payload as the workflow that scheduled the activity would read it. */
async function readBy({ put, take }: Way, payload: Payload): Promise<unknown> {
  const runner = new WorkflowCodecRunner([orchestrator], {
    type: 'workflow',
    namespace: NAMESPACE,
    workflowId: 'monitor-1',
  });
  await runner.encodeCompletion(
    WorkflowActivationCompletion.fromObject({
      runId: 'r',
      successful: {
        commands: [
          { scheduleActivity: { seq: 1, activityId: ACTIVITY, activityType: 'runHttpStep' } },
        ],
      },
    }),
  );
  const activation = WorkflowActivation.fromObject({
    runId: 'r',
    jobs: [{ resolveActivity: put(payload) }],
  });
  const decoded = await runner.decodeActivation(activation);
  const read = take(decoded.jobs?.[0]?.resolveActivity);
  if (read == null) throw new Error('no payload is there');
  return defaultPayloadConverter.fromPayload(read);
}

const cases = Object.keys(WAYS).flatMap((way) => Object.keys(FORGED).map((form) => [way, form]));

test.each(cases)(
  'a probe report with %s is ignored if the payload is %s',
  async (way = '', form = '') => {
    const [how, forged] = [WAYS[way], FORGED[form]];
    if (how === undefined || forged === undefined) throw new Error('unknown');
    expect(await readBy(how, await forged())).toBeNull();
  },
);

test.each(Object.entries(WAYS))(
  'a probe report with %s is read unchanged if its own probe encrypted it',
  async (_, way) => {
    expect(await readBy(way, await sealedBy(probeOf('eu-west'), ACTIVITY))).toEqual({
      forged: true,
    });
    // This payload is not bound to an activity, because probes of the previous release do not bind payloads.
    expect(await readBy(way, await sealedBy(probeOf('eu-west')))).toEqual({ forged: true });
  },
);

test('a probe report that no known key can decrypt waits while keys cannot be read', async () => {
  const away = { ...rings, renew: () => Promise.reject(new Error('the database is away')) };
  const codec = createPayloadCodec([KEY], NAMESPACE, away);
  const payload = await sealedBy(probeOf('eu-west', '2'.repeat(64)), ACTIVITY);
  await expect(codec.decode([payload], inActivity(ACTIVITY))).rejects.toThrow('is away');
});

test('a probe refuses tasks that are unencrypted or for another activity', async () => {
  const probe = probeOf('eu-west');
  await expect(probe.decode([plain], inActivity(ACTIVITY))).rejects.toThrow('not sealed');
  const asked = await sealedBy(orchestrator, OTHER);
  await expect(probe.decode([asked], inActivity(ACTIVITY))).rejects.toThrow(
    'another region or activity',
  );
  const [opened] = await probe.decode([asked], inActivity(OTHER));
  expect(opened && defaultPayloadConverter.fromPayload(opened)).toEqual({ forged: true });
});
