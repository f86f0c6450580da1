import { Dialog } from "#ui/dialog.tsx";
import { SettingsEditor } from "./system-config.tsx";

/** The settings that a change was about, with their values of before entered. */
export function SettingsDialog({ old, onClose }: { old: Readonly<Record<string, unknown>>; onClose: () => void }) {
  return (
    <Dialog title="Put back settings" onClose={onClose}>
      <SettingsEditor old={old} />
    </Dialog>
  );
}
