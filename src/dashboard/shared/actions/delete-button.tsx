/** A button that asks for confirmation, deletes, and shows a notice. Its red text shows that it deletes something. */
import { confirm } from '../dialog/confirm';
import { TEXT } from '../text/strings';
import { SmallButton } from '../ui/small-button';
import { useAct } from './use-act';

interface DeleteButtonProps {
  readonly path: string;
  /** The version that the user saw. If a newer version exists, the service refuses the deletion. */
  readonly ifVersion?: number;
  /** The paths that are read again after the deletion. */
  readonly touches: readonly string[];
  /** The word on the button and in the question. */
  readonly word?: string;
  /** Names the object for users of screen readers, who do not see in which row the button is. */
  readonly label: string;
  readonly question: { readonly title: string; readonly text: string };
  readonly done: string;
}

export function DeleteButton(props: DeleteButtonProps) {
  const { path, ifVersion, touches, word = TEXT.delete, label, question, done } = props;
  const { act, isPending } = useAct(touches);
  const ask = (): void =>
    confirm({
      ...question,
      action: word,
      onConfirm: () =>
        act(
          { method: 'DELETE', path, ...(ifVersion === undefined ? {} : { ifVersion }) },
          { done },
        ),
    });
  return (
    <SmallButton
      c="var(--mantine-color-red-text)"
      loading={isPending}
      onClick={ask}
      aria-label={label}
    >
      {word}
    </SmallButton>
  );
}
