/**
 * The test of a channel by HTTP and of one by mail, through the running service. The messages of every type
 * are held by test/notify, and all of them are sent in channel-tests.long.test.ts.
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
  'a test of a %s channel arrives, or says why it was refused without showing a secret',
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
