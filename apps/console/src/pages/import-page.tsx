import { importKindNames, type ImportKindName } from "#features/directory/imports/import-kinds.tsx";
import { ImportScreen } from "#features/directory/imports/import-screen.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function ImportPage() {
  const [{ of }, , goTo] = useAddressTexts("/import", ["of"], { of: importKindNames });
  return (
    <PageFrame title="Import">
      <ImportScreen kind={(of || "places") as ImportKindName} onKind={(kind) => goTo({ of: kind })} />
    </PageFrame>
  );
}
