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
    description: 'One message, once connected. It may be sent again',
  },
  {
    name: 'expect',
    label: 'Expect',
    input: 'text',
    placeholder: '"type":"pong"',
    description: 'Regular expression that one of the messages matches',
  },
  { name: 'headers', label: 'Headers', input: 'headers', description: 'Of the upgrade' },
];
