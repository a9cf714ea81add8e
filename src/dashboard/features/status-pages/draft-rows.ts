/** Groups and items of a status page as draggable rows. */
import { moveRow } from '../../shared/form/rows/rows';
import {
  type DraftGroup,
  type DraftItem,
  findAdjacentPosition,
  findPosition,
  type ItemPosition,
  moveItem,
} from './page-draft';

interface Steps {
  readonly up: (() => void) | null;
  readonly down: (() => void) | null;
}

export interface DraftRows {
  readonly groupId: (group: DraftGroup) => string;
  readonly itemId: (item: DraftItem) => string;
  readonly isItem: (id: string) => boolean;
  /** Returns the name of the row, or its number if it has no name. */
  readonly readName: (id: string) => string;
  /** Describes the position, like `position 2 of 3`. For items, the text also names the group. */
  readonly describePosition: (id: string, moved?: string) => string;
  readonly stepsOfGroup: (group: DraftGroup) => Steps;
  /**
   * Returns the actions that move an item up or down by one position. At the end of a group, the action moves the item
   * into the adjacent group.
   */
  readonly stepsOfItem: (item: DraftItem) => Steps;
  /**
   * True if the picked row can be dropped on the group. A picked group can be dropped on any other group. A picked item
   * can be dropped only on an empty group.
   */
  readonly takesGroup: (group: DraftGroup, picked: string | null) => boolean;
  readonly drop: (id: string, onto: string) => void;
}

const ITEM = 'item-';
const GROUP = 'group-';

export function draftRows(
  groups: readonly DraftGroup[],
  onChange: (groups: readonly DraftGroup[]) => void,
): DraftRows {
  const isItem = (id: string): boolean => id.startsWith(ITEM);
  const itemAt = (id: string): ItemPosition | null =>
    isItem(id) ? findPosition(groups, Number(id.slice(ITEM.length))) : null;
  const groupAt = (id: string): number =>
    groups.findIndex(({ rowId }) => `${GROUP}${rowId}` === id);
  const groupName = (at: number): string => nameOr(groups[at]?.name, `Group ${at + 1}`);
  const step = (move: (() => readonly DraftGroup[]) | null) =>
    move === null ? null : () => onChange(move());
  return {
    isItem,
    groupId: ({ rowId }) => `${GROUP}${rowId}`,
    itemId: ({ rowId }) => `${ITEM}${rowId}`,
    readName: (id) => {
      const at = itemAt(id);
      if (at === null) return groupName(groupAt(id));
      return nameOr(groups[at.group]?.items[at.item]?.name, `Item ${at.item + 1}`);
    },
    describePosition: (id, moved = id) => {
      const at = itemAt(id);
      if (at === null && isItem(moved)) return `position 1 of 1 in ${groupName(groupAt(id))}`;
      if (at === null) return `position ${groupAt(id) + 1} of ${groups.length}`;
      const count = groups[at.group]?.items.length ?? 0;
      return `position ${at.item + 1} of ${count} in ${groupName(at.group)}`;
    },
    stepsOfGroup: ({ rowId }) => {
      const at = groupAt(`${GROUP}${rowId}`);
      return {
        up: step(at > 0 ? () => moveRow(groups, at, at - 1) : null),
        down: step(at < groups.length - 1 ? () => moveRow(groups, at, at + 1) : null),
      };
    },
    stepsOfItem: ({ rowId }) => {
      const at = findPosition(groups, rowId);
      const by = (direction: -1 | 1) => {
        const to = at === null ? null : findAdjacentPosition(groups, at, direction);
        return step(at === null || to === null ? null : () => moveItem(groups, at, to));
      };
      return { up: by(-1), down: by(1) };
    },
    takesGroup: ({ items }, picked) => picked === null || !isItem(picked) || items.length === 0,
    drop: (id, onto) => {
      const from = itemAt(id);
      if (from === null) return onChange(moveRow(groups, groupAt(id), groupAt(onto)));
      const to = itemAt(onto) ?? { group: groupAt(onto), item: 0 };
      return onChange(moveItem(groups, from, to));
    },
  };
}

function nameOr(name: string | undefined, otherwise: string): string {
  return name === undefined || name === '' ? otherwise : name;
}
