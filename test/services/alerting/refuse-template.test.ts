/** Tests that a template is checked before it is saved, but not while it stays unchanged. */
import { refuseTemplate } from '../../../src/services/alerting/refuse-template';
import { createTextPool } from '../../../src/text/text-pool';

const { run: runTextJob, close } = createTextPool();
afterAll(close);

const accountId = 'acc_1';

const LOOP = '{% for a in facts %}'.repeat(20) + '{% endfor %}'.repeat(20);

test.each([
  ['a body', { template: LOOP }, 'template', 'takes too much time or memory'],
  ['a text', { template: { text: LOOP } }, 'template.text', 'takes too much time or memory'],
  ['a title', { template: { title: '{{ a', text: 'b' } }, 'template.title', 'is not valid Liquid'],
  ['a name', { template: { text: '{{ nobody }}' } }, 'template.text', 'which alerts do not have'],
])('a template is refused with the path of its problem: %s', async (_, config, path, message) => {
  await expect(refuseTemplate({ runTextJob }, { accountId, given: config })).rejects.toMatchObject({
    code: 'validation_failed',
    errors: [{ path, message: expect.stringContaining(message) }],
  });
  await expect(
    refuseTemplate({ runTextJob }, { accountId, given: config, stored: config }),
  ).resolves.toBeUndefined();
});

test('a template that renders a message is accepted, and so is a missing template', async () => {
  await expect(
    refuseTemplate({ runTextJob }, { accountId, given: { template: '{{ headline }}' } }),
  ).resolves.toBeUndefined();
  await expect(refuseTemplate({ runTextJob }, { accountId, given: {} })).resolves.toBeUndefined();
});
