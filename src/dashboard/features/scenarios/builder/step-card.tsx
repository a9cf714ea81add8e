/** A step in the list: its summary, a drag handle, and its actions. */
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Badge, Group, Menu, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconGripVertical,
  IconPlayerPlay,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react';
import { type Problems, problemsUnder } from '../../../shared/form/problems/problems';
import { formatDuration } from '../../../shared/text/time';
import { type DraftStep, formatShortTarget, formatTarget } from '../draft/draft';
import classes from './builder.module.css';

export interface StepActions {
  readonly onMove: (by: -1 | 1) => void;
  readonly onCopy: () => void;
  readonly onCopyCurl: () => void;
  readonly onTestUpTo: () => void;
  readonly onRemove: () => void;
}

interface StepCardProps {
  readonly step: DraftStep;
  readonly index: number;
  readonly problems: Problems;
  readonly count: number;
  /** True for the selected step. The element with the id `editorId` shows its fields. */
  readonly isSelected: boolean;
  readonly editorId: string;
  readonly onSelect: () => void;
  readonly actions: StepActions;
}

export function StepCard(props: StepCardProps) {
  const { step, index, problems, count, isSelected, editorId, onSelect, actions } = props;
  const sortable = useSortable({ id: step.id });
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition } =
    sortable;
  const faults = problemsUnder(problems, `steps[${index}]`).length;
  const name = step.name === '' ? `Step ${index + 1}` : step.name;
  return (
    <li
      ref={setNodeRef}
      className={classes['card']}
      data-dragging={sortable.isDragging || undefined}
      data-invalid={faults > 0 || undefined}
      data-selected={isSelected || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <div className={classes['head']}>
        <ActionIcon
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          variant="subtle"
          color="gray"
          className={classes['handle'] ?? ''}
          aria-label={`Drag ${name}`}
        >
          <IconGripVertical size={18} aria-hidden />
        </ActionIcon>
        <h3 className={classes['title']}>
          <UnstyledButton
            className={classes['toggle'] ?? ''}
            aria-expanded={isSelected}
            aria-controls={isSelected ? editorId : undefined}
            data-path={isSelected ? undefined : `steps[${index}]`}
            onClick={onSelect}
          >
            {index + 1}. {name} <Marks step={step} faults={faults} />
            <span className={classes['address']} title={formatTarget(step)}>
              {formatShortTarget(step)}
            </span>
          </UnstyledButton>
        </h3>
        <Tools
          name={name}
          index={index}
          count={count}
          isRequest={step.type === 'http'}
          actions={actions}
        />
      </div>
    </li>
  );
}

interface MarksProps {
  readonly step: DraftStep;
  readonly faults: number;
}

function Marks({ step: { always, waitSeconds, until }, faults }: MarksProps) {
  const words = [
    faults === 0 ? null : faults === 1 ? '1 problem' : `${faults} problems`,
    always ? 'always' : null,
    waitSeconds === null || waitSeconds === 0 ? null : `after ${formatDuration(waitSeconds)}`,
    until === null ? null : 'repeated',
  ];
  return words.map((word) =>
    word === null ? null : (
      <Badge key={word} size="xs" variant="default" tt="none" ml={4} component="span">
        {word}
      </Badge>
    ),
  );
}

interface ToolsProps extends Pick<StepCardProps, 'index' | 'count' | 'actions'> {
  readonly name: string;
  /** True if curl can send the step. */
  readonly isRequest: boolean;
}

function Tools({ name, index, count, isRequest, actions }: ToolsProps) {
  return (
    <Group gap={2} wrap="nowrap" className={classes['tools'] ?? ''}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${name} up`}
        disabled={index === 0}
        onClick={({ currentTarget }) => moveAndStay(currentTarget, () => actions.onMove(-1))}
      >
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Move ${name} down`}
        disabled={index === count - 1}
        onClick={({ currentTarget }) => moveAndStay(currentTarget, () => actions.onMove(1))}
      >
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      {/* The menu is rendered outside of the scrolling list, which would cut it off. */}
      <Menu position="bottom-end" portalProps={{ target: '#content' }}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions: ${name}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            onClick={actions.onTestUpTo}
          >
            Test up to here
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={actions.onCopy}>
            Duplicate
          </Menu.Item>
          {isRequest && (
            <Menu.Item
              leftSection={<IconTerminal2 size={16} aria-hidden />}
              onClick={actions.onCopyCurl}
            >
              Copy as curl
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            c="var(--kw-down)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={actions.onRemove}
            disabled={count === 1}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}

/** Moves the step and gives the focus back to the button. A node loses the focus when it moves in the document. */
function moveAndStay(button: HTMLButtonElement, move: () => void): void {
  move();
  requestAnimationFrame(() => button.focus());
}
