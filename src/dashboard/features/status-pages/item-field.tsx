/** An item of a status page: its check, its name on the page, and a menu with its other actions. */
import { ActionIcon, Group, Menu, Select, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { focusSortable } from '../../shared/form/problems/focus-field';
import type { DraftRows } from './draft-rows';
import type { DraftItem } from './page-draft';

/** How many choices are shown at once. Users find further choices by typing. */
export const CHOICES_SHOWN = 100;
const NAME_LABEL = 'Name on the page';
/** The selector of the button that opens the menu of an item. */
export const MENU_BUTTON = '[aria-haspopup=menu]';

/** A monitor or scenario that can be chosen. */
export interface Choice {
  readonly value: string;
  readonly label: string;
  /** The key of the group that the check belongs to. */
  readonly groupKey: string;
}

interface ItemFieldProps {
  readonly item: DraftItem;
  readonly choices: readonly Choice[];
  readonly rows: DraftRows;
  /** Called with null to remove the item. */
  readonly onChange: (item: DraftItem | null) => void;
}

/** The name on the page is the name of the check, until the user chooses to write a different name. */
export function ItemField({ item, choices, rows, onChange }: ItemFieldProps) {
  const readName = (id: string | null): string =>
    choices.find(({ value }) => value === id)?.label ?? '';
  const [isRenaming, setIsRenaming] = useState(false);
  // Until the checks are read, their names are unknown.
  const isKnown = choices.length > 0;
  const isRenamed = isKnown && item.name !== '' && item.name !== readName(item.id);
  const choose = (id: string | null): void =>
    onChange({ ...item, id, name: isRenamed ? item.name : readName(id) });
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Group gap={4} flex={1}>
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
        {(isRenaming || isRenamed) && (
          <TextInput
            aria-label={NAME_LABEL}
            placeholder={NAME_LABEL}
            required={item.id !== null}
            maxLength={200}
            value={item.name}
            onChange={({ currentTarget }) => onChange({ ...item, name: currentTarget.value })}
            flex="1.3 1 8rem"
          />
        )}
      </Group>
      <ItemMenu
        item={item}
        rows={rows}
        onRename={() => {
          setIsRenaming(true);
          focusSortable(rows.itemId(item), `[aria-label="${NAME_LABEL}"]`);
        }}
        onRemove={() => onChange(null)}
      />
    </Group>
  );
}

interface ItemMenuProps {
  readonly item: DraftItem;
  readonly rows: DraftRows;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

function ItemMenu({ item, rows, onRename, onRemove }: ItemMenuProps) {
  const id = rows.itemId(item);
  const { up, down } = rows.stepsOfItem(item);
  // The moved item may be in another group, where it has a new button.
  const move = (step: (() => void) | null) => () => {
    step?.();
    focusSortable(id, MENU_BUTTON);
  };
  return (
    <Menu position="bottom-end" portalProps={{ target: '#content' }}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Actions: ${rows.readName(id)}`}
        >
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
          Rename
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowUp size={16} aria-hidden />}
          disabled={up === null}
          onClick={move(up)}
        >
          Move up
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={16} aria-hidden />}
          disabled={down === null}
          onClick={move(down)}
        >
          Move down
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--kw-down)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
