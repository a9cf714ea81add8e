/** Describes fields with their values in words. Pure. */
import { formatDuration, milliseconds } from '../../text/time-text';
import { formatLabel } from './labels';

const VALUE_MAX = 80;

/** Formats a value like `30 s`. An empty value becomes `none`. */
export function formatValue(path: string, value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  const isPlain = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isPlain) return shorten(value.join(', '));
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number' && path === 'interval') return `${value} s`;
  if (typeof value === 'number' && path.endsWith('Seconds')) return formatDuration(value);
  if (typeof value === 'number' && path.endsWith('Ms'))
    return value % 1_000 === 0 ? formatDuration(value / 1_000) : milliseconds(value);
  return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX)}…`;
}

/** Describes each field, like `Retries 1`. Of a field whose value is an object, returns only the label. */
export function describeFields(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).map(([field, value]) => {
    const isPlain = typeof value !== 'object' || value === null || Array.isArray(value);
    return isPlain ? `${formatLabel(field)} ${formatValue(field, value)}` : formatLabel(field);
  });
}
