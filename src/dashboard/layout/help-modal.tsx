/** Lists the keyboard shortcuts. */
import { Kbd, Modal, Table } from '@mantine/core';

const KEYS = [
  [['Ctrl', 'K'], 'Search, act on what is open, create, go to a page'],
  [['/'], 'Search in the list'],
  [['j', 'k'], 'Next and previous row of a table'],
  [['x'], 'Select the row'],
  [['Space'], 'Show more of the row'],
  [['u'], 'Undo the last pause, resume or acknowledgement'],
  [['n'], 'New monitor (new scenario on scenario pages)'],
  [['g', 'o'], 'Go to the overview'],
  [['g', 'c'], 'Go to all checks'],
  [['g', 'm'], 'Go to the monitors'],
  [['g', 's'], 'Go to the scenarios'],
  [['g', 'i'], 'Go to the incidents'],
  [['Ctrl', 'S'], 'Save the monitor or scenario'],
  [['Ctrl', '↵'], 'Test now'],
  [['?'], 'Show shortcuts'],
] as const;

interface HelpModalProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function HelpModal({ isOpen, onClose }: HelpModalProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Shortcuts">
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td w={110}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
