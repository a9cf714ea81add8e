/** The monitors of one group or domain, with its worst state; it folds. */
import { Paper, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { StatusIcon } from '../../../shared/ui/status';
import classes from '../monitors.module.css';
import type { Folder } from './folders';
import { MonitorRow } from './monitor-row';
import type { Selection } from './use-selection';

interface FolderSectionProps {
  readonly folder: Folder;
  readonly selection: Selection | null;
}

export function FolderSection({ folder, selection }: FolderSectionProps) {
  const [isOpen, setIsOpen] = useState(true);
  const listId = useId();
  const { groupKey, monitors, worst, up, total } = folder;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Paper component="section" withBorder mb="md" aria-label={groupKey}>
      <h2 className={classes['folder']}>
        <UnstyledButton
          className={classes['fold']}
          onClick={() => setIsOpen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={listId}
        >
          <Chevron size={16} aria-hidden />
          <StatusIcon status={worst} size={16} />
          <span className={classes['folder-name']}>{groupKey}</span>
          <Text component="span" size="sm" c="dimmed" fw={400} className={classes['count'] ?? ''}>
            {up} of {total} up
          </Text>
        </UnstyledButton>
      </h2>
      <ul id={listId} className={classes['rows']} hidden={!isOpen}>
        {monitors.map((monitor) => (
          <MonitorRow
            key={monitor.id}
            monitor={monitor}
            selection={
              selection === null
                ? null
                : {
                    isOn: selection.ids.has(monitor.id),
                    onToggle: () => selection.toggle(monitor.id),
                  }
            }
          />
        ))}
      </ul>
    </Paper>
  );
}
