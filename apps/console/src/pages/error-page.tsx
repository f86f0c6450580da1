import { ErrorFrame } from "#ui/error-frame.tsx";
import { PageFrame } from "./page-frame.tsx";

/** In place of a screen that failed; the menu stays. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <PageFrame title="Error">
      <ErrorFrame what="screen" error={error} />
    </PageFrame>
  );
}
