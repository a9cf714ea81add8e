/**
 * Registers a toy type of alert channel. It has a line in the registry. A file that imports this module first sees the
 * toy type among the other types.
 */
import { buildJsonPost, defineChannel } from '../../src/notify/channels/channel';
import { httpAddress, tokenText } from '../../src/notify/channels/fields';
import { CHANNEL_TYPES, CHANNELS } from '../../src/notify/channels/registry';

const toy = defineChannel({
  type: 'toy',
  label: 'Toy',
  about: 'Rings a toy bell.',
  fields: { url: httpAddress, token: tokenText },
  form: {
    url: { kind: 'url', label: 'Server' },
    token: { kind: 'secret', label: 'Token' },
  },
  requests: ({ url, token }, { text }) => [buildJsonPost(url, { text }, { 'X-Toy': token })],
});

Reflect.apply(Array.prototype.push, CHANNELS, [toy]);
Reflect.apply(Array.prototype.push, CHANNEL_TYPES, ['toy']);
