/** The inputs for the fields of a ping. */
import type { KindInput } from '../inputs';

export const PING_FORM: readonly KindInput[] = [
  { name: 'host', label: 'Host', input: 'text', placeholder: 'router.example.com' },
  { name: 'count', label: 'Packets', input: 'number', placeholder: '3' },
  {
    name: 'lossPercent',
    label: 'Lost packets (%)',
    input: 'number',
    placeholder: '50',
    description: 'More lost packets are a failure.',
  },
  {
    name: 'p95Ms',
    label: '95% within (ms)',
    input: 'number',
    placeholder: 'None',
    description: 'A slower response is a failure.',
  },
];
