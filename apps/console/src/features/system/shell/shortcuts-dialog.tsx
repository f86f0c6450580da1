import { Kbd, Table } from "@mantine/core";
import { Dialog } from "#ui/dialog.tsx";

const shortcuts = [
  { keys: ["Ctrl", "K"], does: "Go to a screen" },
  { keys: ["/"], does: "Go to the search box of the screen, or to a screen" },
  { keys: ["?"], does: "This list" },
  { keys: ["↑", "↓"], does: "Previous and next row of a table" },
  { keys: ["←", "→"], does: "Links and buttons of the row" },
  { keys: ["Page Up", "Page Down"], does: "A screenful of rows up and down" },
  { keys: ["Home", "End"], does: "First and last row" },
  { keys: ["p", "n"], does: "Previous and next event, on the page of one" },
  { keys: ["0", "T"], does: "Trends: back to the range before zooming, and the table" },
  { keys: ["+", "−"], does: "Trends: zoom in and out at the cursor, on the plots" },
  { keys: ["Enter"], does: "Open the row: on the dashboard its scalar history" },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Table>
        <Table.Tbody>
          {shortcuts.map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Td w={180}>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && " "}
                    <Kbd>{key}</Kbd>
                  </span>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
