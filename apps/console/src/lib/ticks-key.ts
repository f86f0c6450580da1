/** Where this browser keeps what a person entered of deployment tasks and the server does not have yet. */
export const ticksKey = (username: string): string => `busbar-ticks:${username}`;
