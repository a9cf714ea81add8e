/** The groups of a status page: what is shown, in which order, and under which names. */
import { Button, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { SortableRow, SortableRows } from '../../shared/form/sortable-rows';
import { type DraftGroup, type DraftItem, moved, withGroup, withItem, withRow } from './page-draft';
import { TEXT } from './strings';

/** A monitor or scenario that can be chosen. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface GroupFieldsProps {
  readonly groups: readonly DraftGroup[];
  readonly choices: readonly Choice[];
  readonly onChange: (groups: readonly DraftGroup[]) => void;
}

export function GroupFields({ groups, choices, onChange }: GroupFieldsProps) {
  const move = (from: number, to: number): void => onChange(moved(groups, from, to));
  const entries = groups.map(({ mark, name }, index) => ({
    id: `group-${mark}`,
    name: name === '' ? `${TEXT.groupWord} ${index + 1}` : name,
  }));
  return (
    <Stack gap="sm">
      <SortableRows entries={entries} onMove={move}>
        {groups.map((group, index) => (
          <SortableRow
            key={group.mark}
            id={`group-${group.mark}`}
            name={entries[index]?.name ?? ''}
            index={index}
            count={groups.length}
            onMove={move}
          >
            <GroupField
              group={group}
              choices={choices}
              onChange={(changed) => onChange(withRow(groups, group.mark, changed))}
            />
          </SortableRow>
        ))}
      </SortableRows>
      <Group>
        <Button
          variant="default"
          onClick={() => onChange(withGroup(groups))}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {TEXT.addGroup}
        </Button>
      </Group>
    </Stack>
  );
}

interface GroupFieldProps {
  readonly group: DraftGroup;
  readonly choices: readonly Choice[];
  /** null: it is to go. */
  readonly onChange: (group: DraftGroup | null) => void;
}

function GroupField({ group, choices, onChange }: GroupFieldProps) {
  const { name, items, mark } = group;
  const setItems = (changed: readonly DraftItem[]) => onChange({ ...group, items: changed });
  const move = (from: number, to: number): void => setItems(moved(items, from, to));
  const entries = items.map((item, index) => ({
    id: `item-${mark}-${item.mark}`,
    name: item.name === '' ? `${TEXT.itemWord} ${index + 1}` : item.name,
  }));
  return (
    <Fieldset legend={name === '' ? TEXT.group : name}>
      <Stack gap="xs">
        <TextInput
          label={TEXT.group}
          required
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => onChange({ ...group, name: currentTarget.value })}
        />
        <SortableRows entries={entries} onMove={move}>
          {items.map((item, index) => (
            <SortableRow
              key={item.mark}
              id={`item-${mark}-${item.mark}`}
              name={entries[index]?.name ?? ''}
              index={index}
              count={items.length}
              onMove={move}
            >
              <ItemField
                item={item}
                choices={choices}
                onChange={(changed) => setItems(withRow(items, item.mark, changed))}
              />
            </SortableRow>
          ))}
        </SortableRows>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setItems(withItem(items))}>
            {TEXT.addItem}
          </Button>
          <Button size="xs" variant="default" onClick={() => onChange(null)}>
            {TEXT.removeGroup}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

interface ItemFieldProps {
  readonly item: DraftItem;
  readonly choices: readonly Choice[];
  /** null: it is to go. */
  readonly onChange: (item: DraftItem | null) => void;
}

function ItemField({ item, choices, onChange }: ItemFieldProps) {
  const choose = (id: string | null): void => {
    const label = choices.find(({ value }) => value === id)?.label ?? '';
    onChange({ ...item, id, name: item.name === '' ? label : item.name });
  };
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label={TEXT.item}
        data={[...choices]}
        value={item.id}
        onChange={choose}
        searchable
        flex="1 1 11rem"
      />
      <TextInput
        label={TEXT.itemName}
        required={item.id !== null}
        maxLength={200}
        value={item.name}
        onChange={({ currentTarget }) => onChange({ ...item, name: currentTarget.value })}
        flex="1 1 9rem"
      />
      <Button
        variant="default"
        onClick={() => onChange(null)}
        aria-label={`${TEXT.removeItem} ${item.name}`}
      >
        {TEXT.removeItem}
      </Button>
    </Group>
  );
}
