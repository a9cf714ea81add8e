/**
 * Tests alerts to a chat that has got a new id from Telegram. The current alert and all later alerts are sent to the
 * new id.
 */
import type { AlertChannel } from '../../../src/models/alerting/alert-channels';
import { telegram } from '../../../src/notify/channels/telegram';
import type { PostRequest } from '../../../src/notify/post';
import { createSender } from '../../../src/notify/sender';
import { systemClock as clock } from '../../../src/platform/clock';
import { createTextSealer } from '../../../src/platform/sealing';
import { openConfig, sealDestinations } from '../../../src/services/alerting/alert-destinations';
import { storeNewRecipient } from '../../../src/services/alerting/store-new-recipient';
import { buildAlert } from '../../support/alert-message';

const sealer = createTextSealer(['ab'.repeat(32)], 'stored-secret');
const BEFORE = { botToken: '1:token', chatId: '-100' };
const MOVED = JSON.stringify({ ok: false, parameters: { migrate_to_chat_id: -1001234567890123 } });

function chatOf({ body }: PostRequest): unknown {
  return JSON.parse(body).chat_id;
}

/** Sends an alert by a fake Telegram. It has a response for each chat. */
async function sendTo(config: object, answers: Readonly<Record<string, [number, string]>>) {
  const chats: unknown[] = [];
  const send = createSender({
    clock,
    publicUrl: 'https://watch.example',
    runTextJob: async () => [],
    sealer,
    mail: async () => ({ kind: 'refused', detail: 'no mail here' }),
    post: async (request) => {
      const chat = String(chatOf(request));
      chats.push(chat);
      const [status, text] = answers[chat] ?? [200, '{"ok":true}'];
      return { status, headers: new Map(), text };
    },
  });
  const address = { type: 'telegram', config: { ...config } };
  const alert = buildAlert({ id: 'alert', resourceName: 'Shop' });
  const sent = await send({ id: 'alr_1', alert, address, template: null, secrets: [] });
  return { chats, sent };
}

it('an alert is sent at once to the new id of a moved chat', async () => {
  const { chats, sent } = await sendTo(BEFORE, { '-100': [400, MOVED] });
  expect(chats).toEqual(['-100', '-1001234567890123']);
  expect(sent).toMatchObject({ kind: 'sent', moved: { chatId: '-1001234567890123' } });
});

it('each alert follows a moved chat only once', async () => {
  const { chats, sent } = await sendTo(BEFORE, {
    '-100': [400, MOVED],
    '-1001234567890123': [400, MOVED],
  });
  expect(chats).toHaveLength(2);
  expect(sent.kind).toBe('refused');
});

it.each([
  [400, '{"ok":false,"description":"Bad Request: chat not found"}'],
  [400, '{"parameters":{"migrate_to_chat_id":"https://evil.example"}}'],
  [200, MOVED],
])('the response %d %s does not count as a moved chat', async (status, text) => {
  const { chats, sent } = await sendTo(BEFORE, { '-100': [status, text] });
  expect(chats).toEqual(['-100']);
  expect(sent.moved).toBeUndefined();
});

describe('storing the new id of a moved chat', () => {
  const move = {
    accountId: 'acc',
    channelId: 'chn',
    before: BEFORE,
    after: { chatId: '-1001234567890123' },
  };

  function storeOf(config: typeof BEFORE, { losesRaces = 0 } = {}) {
    const addressed = { channel: telegram, config, signingSecret: null };
    let stored: AlertChannel = {
      id: 'chn',
      accountId: 'acc',
      version: 1,
      name: 'Chat',
      key: null,
      type: 'telegram',
      isDefault: true,
      onlyKinds: null,
      fallbackId: null,
      fallbackAfterMinutes: 15,
      config,
      places: sealDestinations(sealer, 'acc', addressed),
      createdAtMs: 0,
      updatedAtMs: 0,
    };
    let races = losesRaces;
    return {
      read: () => openConfig(sealer, stored).config,
      version: () => stored.version,
      find: async () => stored,
      replace: async (_account: string, changed: AlertChannel) => {
        races -= 1;
        if (races >= 0) return false;
        stored = changed;
        return true;
      },
    };
  }

  it.each([0, 2])(
    'storing the new id of a moved chat succeeds even if %d other changes come first',
    async (losesRaces) => {
      const channels = storeOf(BEFORE, { losesRaces });
      await storeNewRecipient({ channels, sealer, clock }, move);
      expect(channels.read()).toEqual({ botToken: '1:token', chatId: '-1001234567890123' });
      expect(channels.version()).toBe(2);
    },
  );

  it('storing the new id of a moved chat keeps a chat id that someone changed meanwhile', async () => {
    const channels = storeOf({ ...BEFORE, chatId: '-7' });
    await storeNewRecipient({ channels, sealer, clock }, move);
    expect(channels.read()).toMatchObject({ chatId: '-7' });
  });
});
