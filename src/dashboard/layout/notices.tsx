/** Where short notices appear. Loaded when the first page stands: nobody is told anything before. */
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

export function Notices() {
  return <Notifications position="bottom-right" />;
}
