/** The inputs for the fields of a TLS check. */
import { TLS_VERSIONS } from '../../contracts/kinds';
import { type KindInput, START_TLS_INPUT } from '../inputs';

export const TLS_FORM: readonly KindInput[] = [
  { name: 'host', label: 'Host', input: 'text', placeholder: 'shop.example.com' },
  { name: 'port', label: 'Port', input: 'number', placeholder: '443' },
  {
    name: 'serverName',
    label: 'Server name',
    input: 'text',
    description: 'If it is not the host.',
  },
  {
    name: 'minVersion',
    label: 'Oldest version',
    input: 'choice',
    placeholder: 'TLSv1.2',
    choices: TLS_VERSIONS.map((value) => ({ value, label: value })),
  },
  START_TLS_INPUT,
  {
    name: 'names',
    label: 'Further names',
    input: 'list',
    description: 'Names for which the certificate must also be valid. Press Enter after each.',
  },
];
