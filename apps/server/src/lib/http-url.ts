/** Of what listens on this host and port. */
export const httpUrl = (host: string, port: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
