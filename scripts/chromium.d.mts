/** The flags under which this project starts a headless Chromium, in tests and benchmarks. */
export declare const chromiumFlags: string[];
