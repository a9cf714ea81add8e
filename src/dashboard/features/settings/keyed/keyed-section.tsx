/** A section of objects with a key: their list, and the form that adds or edits one of them. */
import type { ComponentType, ReactNode } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useCan } from '../../../shared/data/session';
import { CardItem } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
import { ObjectSection } from '../object-section';
import type { Edited, Keyed, KeyedKind } from './keyed';

interface KeyedSectionProps<Item> {
  readonly kind: KeyedKind;
  readonly Form: ComponentType<Edited<Item>>;
  /** Badges after the name. */
  readonly marks?: (item: Item) => ReactNode;
  /** Buttons in front of the edit button, also for people who may only read. */
  readonly actions?: (item: Item) => ReactNode;
  /** The contents of an object, shown below its name. */
  readonly children: (item: Item) => ReactNode;
}

export function KeyedSection<Item extends Keyed>(props: KeyedSectionProps<Item>) {
  const { kind, Form, marks, actions, children } = props;
  const mayWrite = useCan('write');
  return (
    <ObjectSection<Item>
      path={kind.path}
      text={kind.text}
      card={(item, edit) => (
        <CardItem
          key={item.id}
          name={item.name}
          code={item.key}
          marks={marks?.(item)}
          actions={
            <>
              {actions?.(item)}
              {mayWrite && <WriteButtons kind={kind} item={item} onEdit={edit} />}
            </>
          }
        >
          {children(item)}
        </CardItem>
      )}
      form={(item, close) => <Form item={item} onClose={close} />}
    />
  );
}

interface WriteButtonsProps {
  readonly kind: KeyedKind;
  readonly item: Keyed;
  readonly onEdit: () => void;
}

function WriteButtons({ kind, item, onEdit }: WriteButtonsProps) {
  const { id, version, name } = item;
  const { path, touches, text } = kind;
  return (
    <>
      <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
        Edit
      </SmallButton>
      <DeleteButton
        path={`${path}/${id}`}
        ifVersion={version}
        touches={touches}
        label={`Delete ${name}`}
        question={{ title: `Delete “${name}”?`, text: text.loss }}
        done={text.deleted}
      />
    </>
  );
}
