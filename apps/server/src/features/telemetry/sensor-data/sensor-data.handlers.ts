import type { Handlers } from "#http/endpoints.ts";
import { notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { SensorDataReadModel } from "./sensor-data.read-model.ts";

const names = {
  current: say`Sensor data at or before that time`,
  previous: say`Earlier sensor data`,
  next: say`Later sensor data`,
} as const;

export function sensorDataHandlers(readModel: SensorDataReadModel) {
  return {
    async getSensorData({ params: { serial, type }, query: { offset } }) {
      const record = await readModel.find(Number(serial), type, offset);
      if (record) return record;
      if (!(await readModel.nodeExists(Number(serial)))) throw notFound(say`Node ${serial}`);
      throw notFound(say`${names[type]} of node ${serial}`);
    },
  } satisfies Partial<Handlers>;
}
