/** What `like` finds as it is written. */
export const escapedLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Each text anywhere in another. */
export const anywhere = (texts: readonly string[]): string[] => texts.map((text) => `%${escapedLike(text)}%`);
