/** The inputs for the fields of a WebSocket check. */
import type { KindInput } from '../inputs';

export const WEB_SOCKET_FORM: readonly KindInput[] = [
  { name: 'url', label: 'URL', input: 'text', placeholder: 'wss://api.example.com/events' },
  { name: 'subprotocol', label: 'Subprotocol', input: 'text', placeholder: 'None' },
  {
    name: 'send',
    label: 'Send',
    input: 'escaped',
    placeholder: '{"type":"ping"}',
    description: 'One message, sent after connecting. It may be sent again.',
  },
  {
    name: 'expect',
    label: 'Expect',
    input: 'text',
    placeholder: '"type":"pong"',
    description: 'Regular expression that one of the messages must match.',
  },
  { name: 'headers', label: 'Headers', input: 'headers', description: 'Headers of the upgrade.' },
];
