/** Follows a rollout in a dialog. */
import { Dialog } from '../dialog/dialog';
import { RolloutProgress } from './rollout-progress';

interface RolloutDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function RolloutDialog({ id, onClose }: RolloutDialogProps) {
  return (
    <Dialog title="Rollout" onClose={onClose}>
      <RolloutProgress id={id} />
    </Dialog>
  );
}
