/** Tests that the doctor warns about an allowed range that includes this machine with all its ports. */
import { readSettings } from '../../src/config/settings';
import { examineTargets } from '../../src/doctor/examine-host';

function examine(allowed: string) {
  return examineTargets(readSettings('all-in-one', { KEEPWATCH_ALLOWED_PRIVATE_TARGETS: allowed }));
}

it.each(['127.0.0.0/8', '127.0.0.1', '0.0.0.0/0', '::1/128', '::/0', '10.0.0.0/8,127.0.0.0/30'])(
  'the doctor warns if the allowed private targets are %s',
  (allowed) => {
    expect(examine(allowed)).toMatchObject({ state: 'warning' });
  },
);

it.each(['', '10.0.0.0/8', '127.0.0.1/32#8080', 'fd00::/8', '127.0.0.0/8#8000-8999'])(
  'the doctor accepts the allowed private targets “%s”',
  (allowed) => {
    expect(examine(allowed)).toMatchObject({ state: 'ok' });
  },
);
