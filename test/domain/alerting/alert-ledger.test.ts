/** Tests how the ledger counts due alerts: as sent, pending, failed or sent twice. */
import { accountForAlerts, type CountedDelivery } from '../../../src/domain/alerting/alert-ledger';

const delivery = (change: Partial<CountedDelivery> = {}): CountedDelivery => ({
  incidentId: 'inc_1',
  kind: 'failure',
  channelId: 'chn_1',
  recipient: 'ops',
  status: 'sent',
  ...change,
});

test('each delivery counts as due, and as sent, pending or failed', () => {
  const account = accountForAlerts([
    delivery(),
    delivery({ recipient: 'chat', status: 'suppressed' }),
    delivery({ kind: 'recovery', status: 'pending' }),
    delivery({ incidentId: 'inc_2', status: 'failed' }),
  ]);
  expect(account).toEqual({ due: 4, sent: 2, pending: 1, failed: 1, doubled: 0 });
});

test('a repeated alert to one recipient counts as sent twice, unless the alert is a reminder', () => {
  const { doubled } = accountForAlerts([
    delivery(),
    delivery(),
    delivery({ kind: 'recovery' }),
    delivery({ channelId: 'chn_2' }),
    delivery({ kind: 'reminder' }),
    delivery({ kind: 'reminder' }),
    delivery({ incidentId: null, kind: 'certificate' }),
    delivery({ incidentId: null, kind: 'certificate' }),
    delivery({ status: 'failed' }),
  ]);
  expect(doubled).toBe(1);
});
