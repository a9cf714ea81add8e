/** The inputs for the fields of a gRPC check. */
import type { KindInput } from '../inputs';

export const GRPC_FORM: readonly KindInput[] = [
  { name: 'host', label: 'Host', input: 'text', placeholder: 'grpc.example.com' },
  { name: 'port', label: 'Port', input: 'number', placeholder: '50051' },
  {
    name: 'service',
    label: 'Service',
    input: 'text',
    placeholder: 'Whole server',
    description: 'Service whose health is requested.',
  },
  {
    name: 'serverName',
    label: 'Server name',
    input: 'text',
    description: 'Name in the certificate, if it is not the host.',
  },
  { name: 'useTls', label: 'TLS', input: 'switch' },
];
