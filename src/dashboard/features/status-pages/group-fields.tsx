/** The groups of a status page. */
import { Button, Fieldset, Group, Select, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { focusSortable } from '../../shared/form/problems/focus-field';
import { DragArea, SortableList, SortableRow } from '../../shared/form/rows/sortable-rows';
import { SmallButton } from '../../shared/ui/small-button';
import { type DraftRows, draftRows } from './draft-rows';
import { CHOICES_SHOWN, type Choice, ItemField, MENU_BUTTON } from './item-field';
import { createGroup, type DraftGroup, newGroup, newItem, withItem, withRow } from './page-draft';
import { TEXT } from './strings';

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
  const focusAfterRemoval = (index: number): void => {
    const next = items[index + 1] ?? items[index - 1];
    if (next === undefined) focusSortable(rows.groupId(group));
    else focusSortable(rows.itemId(next), MENU_BUTTON);
  };
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
          {items.map((item, index) => (
            <SortableRow
              key={item.rowId}
              id={rows.itemId(item)}
              name={rows.readName(rows.itemId(item))}
              isTarget={isTarget}
            >
              <ItemField
                item={item}
                choices={choices}
                rows={rows}
                onChange={(changed) => {
                  onChange({ ...group, items: withRow(items, item.rowId, changed) });
                  if (changed === null) focusAfterRemoval(index);
                }}
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
