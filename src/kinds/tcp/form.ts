/** The inputs for the fields of a TCP check. */
import { type KindInput, START_TLS_INPUT } from '../inputs';

export const TCP_FORM: readonly KindInput[] = [
  { name: 'host', label: 'Host', input: 'text', placeholder: 'db.example.com' },
  { name: 'port', label: 'Port', input: 'number', placeholder: '5432' },
  { name: 'useTls', label: 'TLS', input: 'switch', description: 'TLS from the first byte on.' },
  START_TLS_INPUT,
  {
    name: 'send',
    label: 'Send',
    input: 'escaped',
    placeholder: String.raw`PING\r\n`,
    description: String.raw`Sent after connecting; \r and \n end a line. It may be sent again.`,
  },
  {
    name: 'sendBase64',
    label: 'Send (Base64)',
    input: 'text',
    description: 'Bytes instead of text.',
  },
  {
    name: 'expect',
    label: 'Expect',
    input: 'text',
    placeholder: String.raw`^\+PONG`,
    description: 'Regular expression that must match the response.',
  },
];
