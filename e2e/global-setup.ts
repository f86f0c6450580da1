import { startWorld } from "./start-world.ts";

/** One running platform for all tests; a test that breaks something starts its own. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const { stop, ...facts } = await startWorld();
  process.env["E2E_WORLD"] = JSON.stringify(facts);
  return stop;
}
