import { CopyButton } from "#ui/copy-button.tsx";
import { Notice } from "#ui/notice.tsx";

export interface Secret {
  label: string;
  text: string;
}

// USR-09, letter for letter
const warning = "Please copy the secret token now in a safe place. It will never be shown again.";

/** What is shown once. */
export function ShownSecret({ secrets }: { secrets: readonly Secret[] }) {
  return (
    <section aria-label="New key">
      <Notice kind="warning">{warning}</Notice>
      {secrets.map(({ label, text }) => (
        <div key={label} className="shown-secret">
          <b>{label}</b>
          <code className="mono">{text}</code>
          <CopyButton text={text} label={`Copy ${label}`} isInTabOrder />
        </div>
      ))}
    </section>
  );
}
