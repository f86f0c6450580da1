import type { WorldSteps } from "./world-steps.ts";

/** Plans an import and does it. */
export async function imported(
  world: WorldSteps,
  plan: "planUserImport" | "planNodeImport" | "planPlaceImport",
  run: "runUserImport" | "runNodeImport" | "runPlaceImport",
  file: string,
): Promise<void> {
  const bytes = { bytes: Buffer.from(file), type: "application/octet-stream" };
  const text = String(await world.did(plan, { bytes }));
  const { plan: planned } = JSON.parse(text.trim().split("\n").at(-1)!) as { plan: { digest: string } };
  await world.did(run, { bytes, params: { digest: planned.digest } });
}
