/** Tests which channels the references in an alert rule resolve to. */
import { selectChannels } from '../../../src/domain/alerting/select-channels';

const channel = (id: string, type: string, isDefault = false) => ({ id, type, isDefault });
const OPS = channel('chn_1', 'email', true);
const CHAT = channel('chn_2', 'slack');
const LATER_CHAT = channel('chn_3', 'slack');
const CHANNELS = [LATER_CHAT, CHAT, OPS];

test.each([
  ['`default` means the default channel', ['default'], [OPS]],
  ['a type means its default channel', ['email'], [OPS]],
  ['a type without a default channel means its first channel', ['slack'], [CHAT]],
  ['an id means the channel with this id', ['chn_3'], [LATER_CHAT]],
  [
    'a channel that is named twice is listed once',
    ['chn_3', 'default', 'email'],
    [LATER_CHAT, OPS],
  ],
  ['an unknown type or id means no channel', ['webhook', 'chn_9'], []],
  ['an empty list means no channel', [], []],
])('channel references are resolved: %s', (_, references, named) => {
  expect(selectChannels(references, CHANNELS)).toEqual(named);
});

test('a reference by type resolves to the default channel, even if older channels of that type exist', () => {
  const chosen = channel('chn_4', 'slack', true);
  expect(selectChannels(['slack'], [chosen, ...CHANNELS])).toEqual([chosen]);
});
