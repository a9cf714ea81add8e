/** A button that asks, deletes, and tells that it is done. */
import { confirm } from '../dialog/confirm';
import { TEXT } from '../text/strings';
import { SmallButton } from '../ui/small-button';
import { useAct } from './use-act';

interface DeleteButtonProps {
  readonly path: string;
  /** A newer version refuses. */
  readonly ifVersion?: number;
  /** What is to be read again afterwards. */
  readonly touches: readonly string[];
  /** On the button and in the question. */
  readonly word?: string;
  /** For those who do not see beside what it stands. */
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
    <SmallButton loading={isPending} onClick={ask} aria-label={label}>
      {word}
    </SmallButton>
  );
}
