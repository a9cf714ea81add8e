/** The end of an attempt and what it leaves to the next one, as one call of the server. */
import { CompleteAsyncError } from '@temporalio/activity';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  defaultPayloadConverter,
  type Payload,
  type ProtoFailure,
} from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { NativeConnection } from '@temporalio/worker';
import { createFailAttempt } from '../../src/temporal/fail-attempt';
import { failureConverter } from '../../src/temporal/failure-converter';
import { createRegionCodec } from '../../src/temporal/payload-codec';

const NAMESPACE = 'default';
const MARK = { lastSlotMs: 1_000, responseTimeMs: 9 };
const codec = createRegionCodec(
  { region: 'eu-west', keys: () => ['a1'.repeat(32)], renew: async () => undefined },
  NAMESPACE,
);

interface Request {
  readonly taskToken: Uint8Array;
  readonly namespace: string;
  readonly failure: ProtoFailure;
  readonly lastHeartbeatDetails: { readonly payloads: readonly Payload[] };
}

function failure(): ApplicationFailure {
  const made = ApplicationFailure.create({
    message: 'up 200 in 35 ms',
    type: 'done',
    details: [MARK],
    nextRetryDelay: 9_000,
    category: ApplicationFailureCategory.BENIGN,
  });
  made.stack = '';
  return made;
}

/** One attempt that ends so, against a server that answers so; what it was asked and what came of it. */
async function failOnce(respond: () => Promise<object>) {
  const asked: Request[] = [];
  const deadlines: number[] = [];
  const connection = {
    withDeadline: (deadline: number, call: () => Promise<unknown>) => {
      deadlines.push(deadline);
      return call();
    },
    workflowService: {
      respondActivityTaskFailed: (request: Request) => {
        asked.push(request);
        return respond();
      },
    },
  } as unknown as NativeConnection;
  const failAttempt = createFailAttempt(connection, NAMESPACE, { payloadCodecs: [codec] });
  const environment = new MockActivityEnvironment({ taskToken: Buffer.from('token') });
  const reason: unknown = await environment
    .run(() => failAttempt(failure(), MARK))
    .catch((error: unknown) => error);
  return { asked, deadlines, reason };
}

async function open(payloads: readonly Payload[]): Promise<readonly Payload[]> {
  return codec.decode([...payloads]);
}

test('the server gets the failure, the time of the next attempt and the details in one call, all sealed', async () => {
  const { asked, deadlines, reason } = await failOnce(async () => ({}));
  expect(reason).toBeInstanceOf(CompleteAsyncError);
  expect(deadlines).toHaveLength(1);
  const [request, ...others] = asked;
  expect(others).toEqual([]);
  if (request === undefined) throw new Error('nothing was asked');
  expect(Buffer.from(request.taskToken).toString()).toBe('token');
  const seen = JSON.stringify(request, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  expect(seen).not.toMatch(/lastSlotMs|up 200/);
  const [details] = await open(request.lastHeartbeatDetails.payloads);
  expect(details && defaultPayloadConverter.fromPayload(details)).toEqual(MARK);
  const { encodedAttributes, applicationFailureInfo: info } = request.failure;
  const [attributes] = await open(encodedAttributes ? [encodedAttributes] : []);
  const opened = failureConverter.failureToError(
    {
      ...request.failure,
      encodedAttributes: attributes ?? null,
      applicationFailureInfo: {
        ...info,
        details: { payloads: [...(await open(info?.details?.payloads ?? []))] },
      },
    },
    defaultPayloadConverter,
  );
  expect(opened.message).toBe('up 200 in 35 ms');
  expect(opened).toMatchObject({ type: 'done', details: [MARK], nonRetryable: false });
  const { nextRetryDelay, category } = info ?? {};
  expect(nextRetryDelay?.seconds?.toString()).toBe('9');
  expect(category).toBe(
    temporal.api.enums.v1.ApplicationErrorCategory.APPLICATION_ERROR_CATEGORY_BENIGN,
  );
});

test('a server that does not take it is reported, so that the attempt can end in another way', async () => {
  const away = new Error('the server is away');
  const { reason } = await failOnce(() => Promise.reject(away));
  expect(reason).toBe(away);
});
