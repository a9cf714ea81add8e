/** The channels that the references in an alert rule resolve to. */
import { namedChannels } from '../../../src/domain/alerting/named-channels';

const channel = (id: string, type: string, isDefault = false) => ({ id, type, isDefault });
const OPS = channel('chn_1', 'email', true);
const CHAT = channel('chn_2', 'slack');
const LATER_CHAT = channel('chn_3', 'slack');
const CHANNELS = [LATER_CHAT, CHAT, OPS];

test.each([
  [['default'], [OPS]],
  [['email'], [OPS]],
  [['slack'], [CHAT]],
  [['chn_3'], [LATER_CHAT]],
  [
    ['chn_3', 'default', 'email'],
    [LATER_CHAT, OPS],
  ],
  [['webhook', 'chn_9'], []],
  [[], []],
])(
  '%j resolves to the default channels, the first channel of a type without a default, and ids',
  (references, named) => {
    expect(namedChannels(references, CHANNELS)).toEqual(named);
  },
);

test('a type resolves to its default channel, even if older channels of that type exist', () => {
  const chosen = channel('chn_4', 'slack', true);
  expect(namedChannels(['slack'], [chosen, ...CHANNELS])).toEqual([chosen]);
});
