/** The inputs for the fields of a DNS check. */
import { DNS_RECORDS } from '../../contracts/kinds';
import type { KindInput } from '../inputs';

export const DNS_FORM: readonly KindInput[] = [
  { name: 'host', label: 'Host name', input: 'text', placeholder: 'example.com' },
  {
    name: 'record',
    label: 'Record type',
    input: 'choice',
    placeholder: 'Choose a type',
    choices: DNS_RECORDS.map((value) => ({ value, label: value })),
  },
  {
    name: 'servers',
    label: 'Name servers',
    input: 'list',
    description: 'IP addresses. Default: the name servers of the probe. Press Enter after each.',
  },
  {
    name: 'agree',
    label: 'With several servers',
    input: 'choice',
    placeholder: 'All must agree',
    choices: [
      { value: 'all', label: 'All must agree' },
      { value: 'any', label: 'One is enough' },
    ],
  },
  {
    name: 'transport',
    label: 'Transport',
    input: 'choice',
    placeholder: 'UDP',
    choices: [
      { value: 'udp', label: 'UDP' },
      { value: 'tcp', label: 'TCP' },
    ],
  },
  {
    name: 'rcode',
    label: 'Expected result',
    input: 'choice',
    placeholder: 'Records',
    choices: [
      { value: 'NOERROR', label: 'Records' },
      { value: 'NXDOMAIN', label: 'No such name' },
    ],
  },
  {
    name: 'expect',
    label: 'Expect',
    input: 'text',
    placeholder: String.raw`^192\.0\.2\.1$`,
    description: 'Regular expression that must match the records, one per line.',
  },
];
