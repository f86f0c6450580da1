import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { externalUrl } from "#lib/external-url.ts";

/** A link out of the console, in a new tab, with where it leads; an address that must not be followed stays text. */
export function ExternalLink({ url, text }: { url: string; text: string }) {
  const address = externalUrl(url);
  if (!address) {
    return (
      <span>
        {text} <span className="dim">(the address {url} is not a safe link)</span>
      </span>
    );
  }
  return (
    <span>
      <Anchor href={address.href} target="_blank" rel="noopener noreferrer" inherit>
        {text}
        <IconExternalLink size={13} aria-hidden style={{ marginLeft: 3, verticalAlign: "-0.1em" }} />
        <span className="visually-hidden"> (opens in a new tab)</span>
      </Anchor>{" "}
      <span className="dim">{address.host}</span>
    </span>
  );
}
