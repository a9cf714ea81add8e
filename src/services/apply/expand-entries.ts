/** Expands the matrices of a set before anything is planned, so that planning and pruning handle single objects. */
import { type Expanded, expandMatrices, refuseMatrixKeys } from '../../domain/definitions/matrix';
import { APPLY_OBJECTS_MAX } from '../../schemas/apply';
import { refuseProblems } from '../lists/field-problems';
import type { ApplyWork } from './apply-list';

/** Expands the entries. Throws `validation_failed` if the expanded set has too many objects. */
export function expandEntries(work: readonly ApplyWork[]): readonly ApplyWork[] {
  const resources = work.filter(isExpanded);
  const sent = resources.flatMap(({ entries }) => entries);
  if (sent.every(({ matrix }) => matrix === undefined)) return work;
  const stored = resources.flatMap(({ existing }) => existing.flatMap(({ key }) => key ?? []));
  const lists = resources.map(({ entries }) => expandMatrices(entries));
  const expanded = refuseMatrixKeys(lists, sent, new Set(stored));
  const parts = work.map((part) => {
    const list = expanded[resources.indexOf(part)];
    return list === undefined ? part : withEntries(part, list);
  });
  refuseExcess(parts.reduce((sum, { entries }) => sum + entries.length, 0));
  return parts;
}

function isExpanded({ kind: { list } }: ApplyWork): boolean {
  return list === 'monitors' || list === 'scenarios';
}

function withEntries(part: ApplyWork, list: readonly Expanded[]): ApplyWork {
  return { ...part, entries: list.map(({ entry }) => entry), sources: list };
}

function refuseExcess(count: number): void {
  if (count <= APPLY_OBJECTS_MAX) return;
  const message = `a set may hold at most ${APPLY_OBJECTS_MAX} objects; its matrices make ${count}`;
  refuseProblems([{ path: '', code: 'out_of_bounds', message }]);
}
