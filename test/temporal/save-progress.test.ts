/**
 * Tests progress reports of consecutive steps. They are encrypted for their activity, sent once, and used only after
 * the server has acknowledged them.
 */
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { NativeConnection } from '@temporalio/worker';
import { createSaveProgress } from '../../src/temporal/save-progress';

type Reach = Pick<NativeConnection, 'withDeadline' | 'workflowService'>;

const PROGRESS = { outcomes: [], underWay: 'step 2' };
const ACTIVITY = { activityId: 'eu-west:abcdef01', taskToken: new Uint8Array([7]) };

interface Sent {
  readonly taskToken: Uint8Array;
  readonly details: { readonly payloads: readonly Payload[] };
}

/** Sends a progress report to a server that responds as `respond` does. */
async function markWith(respond: () => Promise<{ readonly cancelRequested: boolean }>) {
  const sent: Sent[] = [];
  const workflowService = {
    recordActivityTaskHeartbeat: (mark: Sent) => {
      sent.push(mark);
      return respond();
    },
  };
  const withDeadline = (_: number, call: () => Promise<unknown>) => call();
  const connection = { workflowService, withDeadline } as unknown as Reach;
  const activities: unknown[] = [];
  const codec = {
    encode: async (payloads: Payload[], context: unknown) => {
      activities.push(context);
      return payloads;
    },
    decode: async (payloads: Payload[]) => payloads,
  };
  const mark = createSaveProgress(connection, 'default', { payloadCodecs: [codec] });
  const isKept = await new MockActivityEnvironment(ACTIVITY).run(mark, PROGRESS);
  return { isKept, sent, activities };
}

test('a progress report is encrypted for its activity, sent with the task token and acknowledged', async () => {
  const { isKept, sent, activities } = await markWith(async () => ({ cancelRequested: false }));
  expect(isKept).toBe(true);
  const [mark] = sent;
  expect(mark?.taskToken).toEqual(ACTIVITY.taskToken);
  expect(mark?.details.payloads.map((one) => defaultPayloadConverter.fromPayload(one))).toEqual([
    PROGRESS,
  ]);
  expect(activities).toMatchObject([{ type: 'activity', activityId: ACTIVITY.activityId }]);
});

test('a cancelled activity may send nothing more', async () => {
  expect((await markWith(async () => ({ cancelRequested: true }))).isKept).toBe(false);
});

test.each(['the server is away', 'the attempt is over'])(
  'a progress report that fails because %s is not sent again',
  async (why) => {
    const { isKept, sent } = await markWith(() => Promise.reject(new Error(why)));
    expect([isKept, sent.length]).toEqual([false, 1]);
  },
);
