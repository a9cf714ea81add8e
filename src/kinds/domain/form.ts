/** The inputs for the fields of a domain check. */
import type { KindInput } from '../inputs';

export const DOMAIN_FORM: readonly KindInput[] = [
  { name: 'host', label: 'Domain', input: 'text', placeholder: 'example.com' },
  {
    name: 'warnDays',
    label: 'Warnings (days before)',
    input: 'numbers',
    placeholder: '30, 14, 7, 3, 1',
    description: 'People are warned once for each number, before the registration ends.',
  },
];
