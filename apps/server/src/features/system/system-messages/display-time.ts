/** `yyyy-MM-dd HH:mm:ss UTC` of an epoch second. */
export const displayTime = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
