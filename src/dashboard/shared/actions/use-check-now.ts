/** Checks a monitor at once, in addition to its schedule. */
import { type Named, useResourceActions } from './use-resource-actions';

export function useCheckNow(): (monitor: Named) => void {
  const { post } = useResourceActions('monitors');
  return (monitor) =>
    post(monitor, 'run', `${monitor.name} is being checked. The result will appear here.`);
}
