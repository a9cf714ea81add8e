/**
 * Handles the commands of `patched()`. Each command adds a marker to the history, and the search attribute by which an
 * operator finds the workflow. The workflow has already taken the new path, so the core sends it nothing.
 */
import { defaultPayloadConverter } from '@temporalio/common';
import type { coresdk } from '@temporalio/proto';
import type { Decisions } from './commands';
import type { Command, HistoryEvent, Job, Payload } from './protocol';
import type { Run } from './run';

const MARKER = 'core_patch';
const DETAILS = 'patch-data';
const VERSIONS = 'TemporalChangeVersion';

export function createPatchCommands({ history }: Run, pending: Decisions) {
  const patches = new Set<string>();
  const mark = (id: string, deprecated: boolean, workflowTaskCompletedEventId: number): void => {
    history.add('markerRecorded', {
      markerName: MARKER,
      workflowTaskCompletedEventId,
      details: { [DETAILS]: { payloads: [toPayload({ id, deprecated })] } },
    });
    patches.add(id);
    // The workflow and its next run do not know this search attribute.
    history.add('upsertWorkflowSearchAttributes', {
      workflowTaskCompletedEventId,
      searchAttributes: { indexedFields: { [VERSIONS]: keywords([...patches].toSorted()) } },
    });
  };
  return {
    /** Returns the patches that the workflow has applied. */
    all: (): readonly string[] => [...patches],
    takers: {
      setPatchMarker: ({ setPatchMarker }: coresdk.workflow_commands.IWorkflowCommand): void => {
        const { patchId, deprecated } = setPatchMarker ?? {};
        pending.add({ commit: (eventId) => mark(patchId ?? '', deprecated ?? false, eventId) });
      },
    },
  };
}

/**
 * Returns the jobs that name the patches that the workflow has applied. In a replay, they are sent before all other
 * jobs.
 */
export function patchJobs(commands: readonly Command[]): readonly Job[] {
  return commands.flatMap(({ setPatchMarker }) =>
    setPatchMarker ? [{ notifyHasPatch: { patchId: setPatchMarker.patchId ?? '' } }] : [],
  );
}

/** Returns the ids of the applied patches, in order. */
export function patchIds(events: readonly HistoryEvent[]): readonly string[] {
  return events.flatMap(({ markerRecordedEventAttributes: marker }) => {
    const [details] = marker?.details?.[DETAILS]?.payloads ?? [];
    if (marker?.markerName !== MARKER || details === undefined) return [];
    return defaultPayloadConverter.fromPayload<{ readonly id: string }>(details).id;
  });
}

function toPayload(value: unknown): Payload {
  return defaultPayloadConverter.toPayload(value);
}

function keywords(values: readonly string[]): Payload {
  const { metadata, data = null } = toPayload(values);
  return { metadata: { ...metadata, type: Buffer.from('KeywordList') }, data };
}
