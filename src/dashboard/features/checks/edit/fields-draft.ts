/** The draft of an edit that changes fields of many checks at once. */

export const EDITABLE = {
  interval: 'Interval',
  regions: 'Regions',
  retries: 'Retries',
  timeoutMs: 'Timeout (ms)',
  channels: 'Channels',
  policy: 'Alert policy',
  hours: 'Hours',
  group: 'Group',
  tags: 'Tags',
} as const;

export type EditableField = keyof typeof EDITABLE;

export interface FieldsDraft {
  readonly interval: number;
  readonly regions: readonly string[];
  readonly retries: number | null;
  readonly timeoutMs: number | null;
  readonly channels: readonly string[];
  readonly policy: string | null;
  readonly hours: string | null;
  readonly group: string;
  readonly tags: readonly string[];
}

export const NEW_DRAFT: FieldsDraft = {
  interval: 60,
  regions: [],
  retries: null,
  timeoutMs: null,
  channels: [],
  policy: null,
  hours: null,
  group: '',
  tags: [],
};

export interface FieldsChange {
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

export function isEditable(name: string): name is EditableField {
  return name in EDITABLE;
}

/**
 * Builds the change. An empty field is reset to its default. Channels and policy are exceptions: their empty values are
 * sent. Without channels, no one is notified.
 */
export function buildChange(draft: FieldsDraft, chosen: readonly EditableField[]): FieldsChange {
  const set: Record<string, unknown> = {};
  const alerts: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const field of chosen) {
    const value = draft[field];
    if (field === 'channels' || field === 'policy') alerts[field] = value;
    else if (isEmpty(value)) unset.push(field);
    else set[field] = typeof value === 'string' ? value.trim() : value;
  }
  return { set: Object.keys(alerts).length === 0 ? set : { ...set, alerts }, unset };
}

function isEmpty(value: FieldsDraft[EditableField]): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}
