/**
 * Reads the bodies of webhooks from samples: their fields with the JSON types. All alerts have the same fields, so each
 * field is listed once, as in `webhook alert.* cause code`.
 */
import { ALERT_KINDS, EVENT_TYPES } from '../contracts/alerting/alert-kinds';
import { buildEvent } from '../notify/event';
import { createSampleAlert } from '../notify/sample-alerts';
import { writeAlert } from '../notify/words';
import type { NameFacts } from './surface';

type Names = readonly (readonly [string, NameFacts])[];

const URL_OF_SERVICE = 'https://keepwatch.example';
/** Any instant would do, because only types matter. */
const NOW_MS = Date.UTC(2026, 0, 5);

export function readWebhookNames(): Names {
  const fields = new Map<string, NameFacts>();
  for (const kind of ALERT_KINDS) {
    const alert = createSampleAlert(kind, NOW_MS);
    const words = writeAlert(alert, URL_OF_SERVICE);
    const event: object = buildEvent({ id: 'alr_1', alert, words, acknowledge: words.link });
    const name = `webhook ${alert.event?.type ?? 'alert.*'}`;
    for (const [field, facts] of listFields(event, name))
      fields.set(field, { ...fields.get(field), ...facts });
  }
  const kinds = ALERT_KINDS.filter((kind) => kind !== 'event').map((kind) => `alert.${kind}`);
  const types = [...EVENT_TYPES, ...kinds].map((type) => [`webhook ${type}`, {}] as const);
  return [...types, ...fields];
}

/** Lists the fields of a sample with their types. A field whose value is null is listed without a type. */
function listFields(value: unknown, name: string): Names {
  if (value === null || value === undefined) return [[name, {}]];
  if (Array.isArray(value))
    return [
      [name, { same: { type: 'array' } }],
      ...value.slice(0, 1).flatMap((item) => listFields(item, `${name}[]`)),
    ];
  if (typeof value !== 'object') return [[name, { same: { type: typeof value } }]];
  return [
    [name, { same: { type: 'object' } }],
    ...Object.entries(value).flatMap(([field, inner]) => listFields(inner, `${name} ${field}`)),
  ];
}
