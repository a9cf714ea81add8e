/** The area for short notices. Loaded after the first page is shown: there are no notices before that. */
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

export function Notices() {
  return <Notifications position="bottom-right" />;
}
