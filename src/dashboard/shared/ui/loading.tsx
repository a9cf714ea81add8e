/** That something is on its way. */
import { Center, Loader } from '@mantine/core';
import { TEXT } from '../text/strings';

export function Loading() {
  return (
    <Center py="xl">
      <Loader type="dots" role="status" aria-label={TEXT.loading} />
    </Center>
  );
}
