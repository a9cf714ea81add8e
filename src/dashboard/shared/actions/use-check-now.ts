/** Checks a monitor at once, in addition to its schedule. */
import { type Named, useResourceActions } from './use-resource-actions';

/** `appears` is a sentence that says where the result appears. By default, it appears on the page. */
export function useCheckNow(appears = 'The result will appear here.'): (monitor: Named) => void {
  const { post } = useResourceActions('monitors');
  return (monitor) => post(monitor, 'run', `${monitor.name} is being checked. ${appears}`);
}
