/** SQL: a time as whole seconds since 1970, as answers have it. */
export const epochSeconds = (time: string): string => `floor(extract(epoch from ${time}))::float8`;

/** With the fraction, for what is compared or written back. */
export const exactEpoch = (time: string): string => `extract(epoch from ${time})::float8`;
