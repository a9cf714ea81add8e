/**
 * Tests templates when they are saved and when alerts are sent: how problems are reported, and when the default text is
 * used.
 */

import { slack } from '../../src/notify/channels/slack';
import { webhook } from '../../src/notify/channels/webhook';
import { createSampleAlert } from '../../src/notify/sample-alerts';
import { composeMessage } from '../../src/notify/sender';
import { findTemplateFaults } from '../../src/notify/template';
import { createTextPool } from '../../src/text/text-pool';
import type { RunTextJob } from '../../src/text/text-task';

const { run: runTextJob, close } = createTextPool();
afterAll(close);

const publicUrl = 'https://watch.example';
const composing = { id: 'alr_1', alert: createSampleAlert('failure', 0), sentAtMs: 0 };

test('a template that takes too long is refused when it is saved, with an explanation', async () => {
  const loop = '{% for a in facts %}'.repeat(20) + '{% endfor %}'.repeat(20);
  expect(await findTemplateFaults(runTextJob, ['{{ headline }}', loop, '{{ a'])).toEqual([
    null,
    'takes too much time or memory',
    expect.stringContaining('is not valid Liquid'),
  ]);
});

test('values in the text of a template are escaped for the channel, but values in its body are not', async () => {
  const template = { title: '{{ kind }}\n{{ headline }}', text: '{{ "<b>" }}' };
  const parts = { publicUrl, runTextJob };
  const words = await composeMessage(slack, { ...composing, template }, parts);
  expect(words).toMatchObject({
    fault: null,
    message: {
      isCustom: true,
      title: 'failure Down: Checkout: got 503, expected 2xx',
      text: '&lt;b&gt;',
    },
  });
  const body = { text: '{{ headline | json }}' };
  const whole = await composeMessage(webhook, { ...composing, template: body }, parts);
  expect(whole).toMatchObject({
    fault: null,
    message: { text: '"Down: Checkout: got 503, expected 2xx"' },
  });
});

test('an alert whose template cannot be rendered is sent with the default text', async () => {
  const busy: RunTextJob = async ({ tasks }) => tasks.map(() => ({ problem: 'busy: too much' }));
  const template = { text: '{{ headline }}' };
  const parts = { publicUrl, runTextJob: busy };
  const { message, fault } = await composeMessage(slack, { ...composing, template }, parts);
  expect(fault).toBe('could not be rendered now');
  expect(message).toMatchObject({
    isCustom: false,
    title: 'Down: Checkout: got 503, expected 2xx',
  });
});
