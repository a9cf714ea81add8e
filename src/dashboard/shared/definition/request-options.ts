/** Labels and hints of request options, for monitors and steps. */
import { degradedAboveMsField } from '../../../schemas/fields';
import { requestOptionFields } from '../../../schemas/request-options';
import type { OptionTexts } from './options';

const requestOptions = { ...requestOptionFields, degradedAboveMs: degradedAboveMsField };

export const REQUEST_OPTION_TEXTS: OptionTexts<typeof requestOptions> = {
  timeoutMs: {
    label: 'Timeout (ms)',
    description: 'For the whole request, redirects and body included.',
  },
  retries: {
    label: 'Retries',
    description: 'Immediate retries before a check counts as failed.',
  },
  followRedirects: { label: 'Follow redirects' },
  maxRedirects: { label: 'Maximum redirects', description: 'More than this is a failure.' },
  sendTraceparent: {
    label: 'Send traceparent',
    description: 'Send a traceparent header (if tracing is enabled).',
  },
  degradedAboveMs: {
    label: 'Degraded above (ms)',
    description: 'Passing but slower than this.',
    placeholder: 'Never',
  },
};
