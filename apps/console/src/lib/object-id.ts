/** An address names a facility, an incident or a row by its number. */
export const isObjectId = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);
