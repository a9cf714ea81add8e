/** The area for short notices. Loaded after the first page. */
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

export function Notices() {
  return <Notifications position="bottom-right" />;
}
