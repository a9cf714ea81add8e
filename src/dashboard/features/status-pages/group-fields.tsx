/** The groups of a status page. */
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Select,
  Stack,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { focusSortable } from '../../shared/form/problems/focus-field';
import { RemoveButton } from '../../shared/form/rows/remove-button';
import { DragArea, SortableList, SortableRow } from '../../shared/form/rows/sortable-rows';
import { SmallButton } from '../../shared/ui/small-button';
import { type DraftRows, draftRows } from './draft-rows';
import {
  createGroup,
  type DraftGroup,
  type DraftItem,
  newGroup,
  newItem,
  withItem,
  withRow,
} from './page-draft';
import { TEXT } from './strings';

/** How many choices are shown at once. Users find further choices by typing. */
const CHOICES_SHOWN = 100;

/** A monitor or scenario that can be chosen. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** The key of the group that the check belongs to. */
  readonly groupKey: string;
}

interface GroupFieldsProps {
  readonly groups: readonly DraftGroup[];
  readonly choices: readonly Choice[];
  readonly onChange: (groups: readonly DraftGroup[]) => void;
}

export function GroupFields({ groups, choices, onChange }: GroupFieldsProps) {
  const [picked, setPicked] = useState<string | null>(null);
  const rows = draftRows(groups, onChange);
  return (
    <Stack gap="sm">
      <DragArea
        readName={rows.readName}
        describePosition={rows.describePosition}
        onPick={setPicked}
        onDrop={rows.drop}
      >
        <SortableList ids={groups.map(rows.groupId)}>
          {groups.map((group) => (
            <SortableRow
              key={group.rowId}
              id={rows.groupId(group)}
              name={rows.readName(rows.groupId(group))}
              steps={rows.stepsOfGroup(group)}
              isTarget={rows.takesGroup(group, picked)}
            >
              <GroupField
                group={group}
                choices={choices}
                rows={rows}
                isTarget={picked === null || rows.isItem(picked)}
                onAdd={() => {
                  const item = newItem(groups);
                  onChange(withItem(groups, group.rowId, item));
                  focusSortable(rows.itemId(item));
                }}
                onChange={(changed) => onChange(withRow(groups, group.rowId, changed))}
              />
            </SortableRow>
          ))}
        </SortableList>
      </DragArea>
      <Group>
        <Button
          variant="default"
          onClick={() => {
            const group = newGroup(groups);
            onChange([...groups, group]);
            focusSortable(rows.groupId(group));
          }}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          Add group
        </Button>
        <WholeGroup groups={groups} choices={choices} onChange={onChange} />
      </Group>
    </Stack>
  );
}

/** Adds all checks of a group at once, under the name of the group. */
function WholeGroup({ groups, choices, onChange }: GroupFieldsProps) {
  const names = [...new Set(choices.map(({ groupKey }) => groupKey))].toSorted();
  if (names.length === 0) return null;
  const add = (name: string): void => {
    const checks = choices.filter(({ groupKey }) => groupKey === name);
    const added = createGroup(
      groups,
      name,
      checks.map(({ value, label }) => ({ id: value, name: label })),
    );
    // Empty groups are dropped, because a new page begins with an empty group.
    const kept = groups.filter(({ name: own, items }) => own !== '' || items.some(({ id }) => id));
    onChange([...kept, added]);
    focusSortable(draftRows(groups, onChange).groupId(added));
  };
  return (
    <Select
      aria-label={TEXT.addWholeGroup}
      placeholder={TEXT.addWholeGroup}
      data={names}
      value={null}
      onChange={(name) => name !== null && add(name)}
      searchable
      limit={CHOICES_SHOWN}
      nothingFoundMessage="Nothing found"
    />
  );
}

interface GroupFieldProps {
  readonly group: DraftGroup;
  readonly choices: readonly Choice[];
  readonly rows: DraftRows;
  /** True if a dragged item can be dropped on the items of this group. */
  readonly isTarget: boolean;
  readonly onAdd: () => void;
  /** Called with null to remove the group. */
  readonly onChange: (group: DraftGroup | null) => void;
}

function GroupField({ group, choices, rows, isTarget, onAdd, onChange }: GroupFieldProps) {
  const { name, items } = group;
  return (
    <Fieldset
      p="sm"
      legend={<VisuallyHidden>{rows.readName(rows.groupId(group))}</VisuallyHidden>}
      styles={{ legend: { padding: 0 } }}
    >
      <Stack gap="xs">
        <TextInput
          label="Group name"
          required={items.some(({ id }) => id !== null)}
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => onChange({ ...group, name: currentTarget.value })}
        />
        <SortableList ids={items.map(rows.itemId)}>
          {items.map((item) => (
            <SortableRow
              key={item.rowId}
              id={rows.itemId(item)}
              name={rows.readName(rows.itemId(item))}
              steps={rows.stepsOfItem(item)}
              isTarget={isTarget}
              isFlat
            >
              <ItemField
                item={item}
                choices={choices}
                onChange={(changed) =>
                  onChange({ ...group, items: withRow(items, item.rowId, changed) })
                }
              />
            </SortableRow>
          ))}
        </SortableList>
        <Group gap="xs">
          <SmallButton onClick={onAdd}>Add item</SmallButton>
          <SmallButton onClick={() => onChange(null)}>Remove group</SmallButton>
        </Group>
      </Stack>
    </Fieldset>
  );
}

interface ItemFieldProps {
  readonly item: DraftItem;
  readonly choices: readonly Choice[];
  /** Called with null to remove the item. */
  readonly onChange: (item: DraftItem | null) => void;
}

/** The name on the page is the name of the check, until the user asks to write another one. */
function ItemField({ item, choices, onChange }: ItemFieldProps) {
  const nameOf = (id: string | null): string =>
    choices.find(({ value }) => value === id)?.label ?? '';
  const [isRenaming, setIsRenaming] = useState(false);
  // Until the checks are read, their names are unknown.
  const isKnown = choices.length > 0;
  const isRenamed = isKnown && item.name !== '' && item.name !== nameOf(item.id);
  const choose = (id: string | null): void =>
    onChange({ ...item, id, name: isRenamed ? item.name : nameOf(id) });
  return (
    <Group gap={4}>
      <Select
        aria-label="Monitor or scenario"
        placeholder="Monitor or scenario"
        data={[...choices]}
        value={item.id}
        onChange={choose}
        searchable
        limit={CHOICES_SHOWN}
        nothingFoundMessage="Nothing found"
        flex="1 1 7rem"
      />
      {isRenaming || isRenamed ? (
        <TextInput
          aria-label="Name on the page"
          placeholder="Name on the page"
          required={item.id !== null}
          maxLength={200}
          value={item.name}
          onChange={({ currentTarget }) => onChange({ ...item, name: currentTarget.value })}
          autoFocus={isRenaming}
          flex="1.3 1 8rem"
        />
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Rename item ${item.name}`.trim()}
          onClick={() => setIsRenaming(true)}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      )}
      <RemoveButton row={`item ${item.name}`.trim()} onRemove={() => onChange(null)} />
    </Group>
  );
}
