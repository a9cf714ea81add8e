/**
 * Tests the test message of an HTTP channel and of an email channel, through the running service. test/notify tests the
 * messages of every type, and channel-tests.long.test.ts sends all of them.
 */
import { uniqueSuite } from '../support/service';
import { openSharedService, type SharedService } from '../support/shared-service';
import {
  createChannel,
  expectArrival,
  expectRefusal,
  type Receiver,
  startHttpReceiver,
} from './channel-receivers';

const RECIPIENT = `${uniqueSuite()}@example.com`;
let service: SharedService;

beforeAll(async () => {
  service = await openSharedService();
});
afterAll(() => service?.close());

function mailReceiver(): Receiver {
  return {
    config: { emails: [RECIPIENT] },
    received: async () =>
      (await service.mailsTo(RECIPIENT)).map((text) => ({ path: '', headers: {}, text })),
    refuse: async () => {
      await service.refuseNextMailTo(RECIPIENT);
      return 'try later';
    },
    hang: () => undefined,
    close: async () => undefined,
  };
}

test.each(['slack', 'email'])(
  'a test message of a %s channel arrives, or the refusal is reported with its reason and without a secret',
  async (type) => {
    const { api } = await service.newAccount();
    const receiver = type === 'slack' ? await startHttpReceiver(type) : mailReceiver();
    try {
      const send = await createChannel(api, type, receiver);
      await expectArrival(type, receiver, send);
      await expectRefusal(type, receiver, send);
    } finally {
      await receiver.close();
    }
  },
);
