/** Tests the recipients of an alert rule. Each channel and target appears once, in its newest version. */
import { hasRecipients, mergeRecipients } from '../../../src/domain/alerting/rule-recipients';
import { webhookTarget } from '../../support/alert-message';

test('an alert rule has recipients if it has a channel, a target or a policy', () => {
  const none = { channels: [], targets: [] };
  expect(hasRecipients(none)).toBe(false);
  expect(hasRecipients({ ...none, channels: ['default'] })).toBe(true);
  expect(hasRecipients({ ...none, targets: [webhookTarget('ops')] })).toBe(true);
  expect(hasRecipients({ ...none, policy: 'on-call' })).toBe(true);
});

test('merged recipients contain each channel and each target once', () => {
  const newer = { ...webhookTarget('ops'), masked: 'newer' };
  const merged = mergeRecipients([
    { channels: ['email', 'slack'], targets: [webhookTarget('ops')] },
    { channels: ['slack'], targets: [newer] },
  ]);
  expect(merged).toEqual({ channels: ['email', 'slack'], targets: [newer] });
});
