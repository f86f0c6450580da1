interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown;
}

// Mantine writes its theme's style text through innerHTML; nothing else in the console writes HTML. Style text holds no tag.
function styleTextOnly(text: string): string {
  if (/<[a-z!/]/i.test(text)) throw new TypeError("HTML is not written by this console");
  return text;
}

/** Registers the only policy that the page's security policy allows. */
export function registerTrustedTypes(): void {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy("default", { createHTML: styleTextOnly });
}
