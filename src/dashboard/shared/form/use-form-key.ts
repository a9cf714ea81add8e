/** Keyboard shortcuts of a form: Ctrl S saves it, and Ctrl Enter tests it. */
import { useHotkeys } from '@mantine/hooks';

/** Calls `act` when the key is pressed. Does nothing while a question or another dialog is open above the form. */
export function useFormKey(key: 'mod+S' | 'mod+Enter', act: () => void): void {
  const press = (): void => {
    if (document.querySelector('[aria-modal=true]') === null) act();
  };
  useHotkeys([[key, press]], [], true);
}
