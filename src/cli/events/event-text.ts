/** Formats changes of the event stream as lines: the time, the new state in words, and the name of the object. */
import { z } from 'zod';
import { CliError } from '../cli-error';
import { formatMs } from '../durations';
import { incidentShape } from '../incident-shapes';
import { paintStatus, replaceControls } from '../paint';
import type { Session } from '../session';
import { checkShape } from '../shapes';

export const changeShape = z.looseObject({
  kind: z.string(),
  id: z.string(),
  name: z.string().nullish(),
  health: z.string().nullish(),
  inMaintenance: z.boolean().nullish(),
  lastResponseTimeMs: z.number().nullish(),
  scenarioId: z.string().nullish(),
});
export type Change = z.output<typeof changeShape>;

const WORD_WIDTH = 12;
const NAME_WIDTH = 24;

/** Formats changes one after another, and remembers the names of checks that it has read. */
export type ChangeText = (at: string, change: Change) => Promise<string>;

export function createChangeText(session: Session): ChangeText {
  const readName = createNames(session);
  const { paint } = session.output;
  return async (at, change) => {
    const { word, name, more } = await describeChange(session, change, readName);
    const state = paintStatus(paint, replaceControls(word)) + ' '.repeat(padding(word, WORD_WIDTH));
    const time = paint('grey', at.slice(11, 19));
    return `${time}  ${state} ${replaceControls(name).padEnd(NAME_WIDTH)}  ${replaceControls(more)}`.trimEnd();
  };
}

function padding(word: string, width: number): number {
  return Math.max(0, width - word.length);
}

interface ChangeWords {
  readonly word: string;
  readonly name: string;
  readonly more: string;
}

type ReadName = (id: string) => Promise<string>;

async function describeChange(
  session: Session,
  change: Change,
  readName: ReadName,
): Promise<ChangeWords> {
  const { kind, id, name, health, inMaintenance, lastResponseTimeMs, scenarioId } = change;
  if (kind === 'incident') return describeIncident(session, id);
  if (kind === 'run') return { word: 'run', name: await readName(scenarioId ?? id), more: id };
  const shown = name ?? (await readName(id));
  if (health == null)
    return { word: kind === 'definition' ? 'changed' : kind, name: shown, more: '' };
  const more = lastResponseTimeMs == null ? '' : formatMs(lastResponseTimeMs);
  return { word: inMaintenance === true ? 'maintenance' : health, name: shown, more };
}

/** Reads the incident, because the event contains neither its state nor the name of its check. */
async function describeIncident({ client }: Session, id: string): Promise<ChangeWords> {
  const path = `v1/incidents/${encodeURIComponent(id)}`;
  const incident = await unlessRefused(client().call(path, incidentShape), null);
  const name = incident?.resourceName ?? id;
  return { word: 'incident', name, more: incident?.state ?? '' };
}

const CHECK_ID = /^(?:mon|scn)_/;

/**
 * Returns a function that finds the names of monitors and scenarios. The function reads the list on first use, and
 * reads it again for an unknown id. For other objects, and for checks that no longer exist, it returns the id.
 */
function createNames({ client }: Session): ReadName {
  const names = new Map<string, string>();
  return async (id) => {
    if (!names.has(id) && CHECK_ID.test(id)) {
      for (const check of await unlessRefused(client().list('v1/checks', checkShape), []))
        names.set(check.id, check.name);
      if (!names.has(id)) names.set(id, id);
    }
    return names.get(id) ?? id;
  };
}

/** Returns the fallback if the service refuses the request. The line then shows the id instead of the name. */
async function unlessRefused<Value, Fallback>(
  reading: Promise<Value>,
  fallback: Fallback,
): Promise<Value | Fallback> {
  return reading.catch((error: unknown) => {
    if (error instanceof CliError) return fallback;
    throw error;
  });
}
