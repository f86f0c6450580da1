// The limits of every test and every wait in one place. They end what hangs and measure nothing: a busy machine may take its time.
export const testLimitMs = 300_000;
export const waitLimitMs = 120_000;
